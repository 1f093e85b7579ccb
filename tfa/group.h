/* SPDX-License-Identifier: Apache-2.0
 *
 * group.h: the parts of a fit of several subjects, see htfa.md; htfa.c runs them.
 */
#ifndef RUNG_TFA_GROUP_H
#define RUNG_TFA_GROUP_H

#include "fit.h"

/* One factor of one subject. */
typedef struct tfa_member {
    double theta[4];    /* where it is, given the template */
    double estimate[4]; /* where the subject's data alone have it: one step from theta */
    double cov[16];     /* covariance of the estimate's error */
    double present;     /* 0 to 1: it explains no more than noise would; it explains twice that, or more */
    double trust;       /* 0 to 1: how far it is the same factor as that of the template */
    double share;       /* in the template's factor */
} tfa_member;

/* One factor of the template. */
typedef struct tfa_common {
    double theta[4];
    double spread[2]; /* over subjects: of the centre along an axis, and of the width */
    double error[2];  /* standard errors, alike */
} tfa_common;

typedef struct tfa_group {
    size_t s, k;
    tfa_member *member; /* [s, k] */
    tfa_common *common; /* [k] */
    double voxel;       /* mm, the smallest of all subjects */
    double extent;      /* mm, the largest side of all boxes */
} tfa_group;

/* ---- observe.c --------------------------------------------------------------------------------------------------- */

/* The noise's variance per number of the data, from a fitted model. */
double rung_tfa_noise(const tfa_fit *f);
/* member [k]: all but trust and share, from the model that has been fitted. */
int rung_tfa_observe(tfa_fit *f, double noise, tfa_member *member);

/* ---- assign.c ---------------------------------------------------------------------------------------------------- */

/* column [n]: for each row of cost [n, n] one column, no column twice, with the least sum of costs. RUNG_ERR_MEMORY. */
int rung_tfa_assign(const double *cost, size_t n, size_t *column);

/* ---- match.c ----------------------------------------------------------------------------------------------------- */

/* 0 to 1: how far two factors are from being the same, by the distance of their spheres in units of their widths. */
double rung_tfa_unlike(const tfa_group *group, const double *a, const double *b);
/* Brings the subjects' factors into one order, and sets the template's first places. */
int rung_tfa_match(tfa_group *group);
/* The members' trust, by the template as it is. */
void rung_tfa_judge(tfa_group *group);

/* ---- template.c -------------------------------------------------------------------------------------------------- */

/* How many subjects have the template's factor a. */
size_t rung_tfa_trusted(const tfa_group *group, size_t a);
/* Template, spreads, errors and shares from the members' estimates and their trust. Returns how far a centre or width
 * moved, in voxels. */
double rung_tfa_update_template(tfa_group *group);

#endif
