/* SPDX-License-Identifier: Apache-2.0
 *
 * tune_compare.c: what the times of two kernels say, and whether they may be believed.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "machine_devices.h"
#include "say.h"
#include "tune.h"

static bool is_of(const bench_row *row, const cell_key *key)
{
    return strcmp(row->op, key->op) == 0 && strcmp(row->device, key->device) == 0 &&
           strcmp(row->arch, key->arch) == 0 && strcmp(row->variant, key->variant) == 0;
}

static size_t rows_of(const bench_file *bench, const cell_key *key)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++)
        count += is_of(&bench->row[i], key) ? 1 : 0;
    return count;
}

static tune_verdict judge(const tune_pair *pair, double margin)
{
    size_t older = 0, newer = 0;
    for (size_t i = 0; i < pair->sizes; i++) {
        const tune_size *at = &pair->size[i];
        older += at->older->high < at->newer->low ? 1 : 0;
        newer += at->newer->high < at->older->low ? 1 : 0;
    }
    if (older == pair->sizes)
        return pair->ratio >= 1 + margin ? TUNE_OLDER : TUNE_CLOSE;
    if (newer == pair->sizes)
        return pair->ratio * (1 + margin) <= 1 ? TUNE_NEWER : TUNE_NOISE;
    return older != 0 && newer != 0 ? TUNE_MIXED : TUNE_NOISE;
}

tune_pair tune_compare(const tune_table *t, const cell_key *newer, const cell_key *older)
{
    tune_pair pair = {.verdict = TUNE_APART, .ratio = 1};
    size_t count = rows_of(t->bench, newer);
    if (count == 0 || count != rows_of(t->bench, older))
        return pair;
    pair.size = say_alloc(count * sizeof *pair.size);
    double logarithms = 0;
    for (size_t i = 0; i < t->bench->count; i++) {
        const bench_row *row = &t->bench->row[i];
        if (!is_of(row, newer))
            continue;
        bench_row like = *row;
        like.arch = older->arch;
        const bench_row *other = bench_file_find(t->bench, &like);
        if (other == NULL)
            return pair;
        double ratio = row->median / other->median;
        logarithms += log(ratio);
        pair.size[pair.sizes++] = (tune_size){row, other, ratio};
    }
    pair.ratio = exp(logarithms / (double)count);
    pair.verdict = judge(&pair, t->margin);
    return pair;
}

/* Whether the proof is of the machine that the results are of; another system or driver there makes no other processor
 * or device. */
static bool same_machine(const tune_table *t, const proof_row *row)
{
    const json_t *run = row->from != SIZE_MAX ? json_array_get(t->proofs->runs, row->from) : NULL;
    const json_t *machine = json_object_get(run, "machine");
    return strcmp(json_word(machine, "processor"), t->bench->processor) == 0 &&
           strcmp(json_word(machine, "level"), t->bench->level) == 0 &&
           machine_devices_same(machine, t->bench->machine, row->device, false);
}

char *tune_unproven(const tune_table *t, const cell_key *key)
{
    const proof_row *row = proofs_find(t->proofs, key);
    if (row == NULL)
        return say_format("%s is not proven: the selftest has no such kernel", key->arch);
    if (row->state != RUNG_PROOF_PASSED || row->how != RUNG_PROOF_NATIVE)
        return say_format("%s is not proven: %s%s%s", key->arch, rung_proof_state_text(row->state, row->how),
                          row->why[0] != '\0' ? ": " : "", row->why);
    if (!same_machine(t, row))
        return say_format("%s is not proven: the selftest is of another machine", key->arch);
    return NULL;
}
