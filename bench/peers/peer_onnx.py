# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime's CPU provider: a graph of one or two nodes for each op, its inputs and outputs bound to memory."""
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
import onnx
import onnxruntime
from onnx import helper

from ways import Peer, Way, looped
from work import Task

_OPSET, _IR = 17, 8  # of ONNX 1.12: every ONNX Runtime since 1.12 reads them
_GEMMS = ("gemm_tn", "gemm_nt", "gemm_nt_f32")
Nodes = Sequence[Tuple[str, Sequence[str], str, Dict[str, Any]]]


class Onnx(Peer):
    version = str(onnxruntime.__version__)

    def lacks(self, op: str) -> Optional[str]:
        if op == "gemm_nt_bf16":
            return "its Gemm takes no bfloat16 on the CPU"
        return None if op in (*_GEMMS, "flow_match_step", "factor_gradient") else "no equivalent of a node or two"

    def ways(self, task: Task) -> List[Way]:
        if task.op in _GEMMS:
            turned = {"transA": 1} if task.op == "gemm_tn" else {"transB": 1}
            return [_way(task, "Gemm", task.inputs, [("Gemm", ["a", "b"], "c", turned)])]
        if task.op == "flow_match_step":
            dt = np.array([task.numbers["sigma_n"] - task.numbers["sigma_t"]], dtype=np.float32)
            return [_way(task, "Mul, Add", {**task.inputs, "dt": dt},
                         [("Mul", ["v", "dt"], "scaled", {}), ("Add", ["x", "scaled"], "y", {})])]
        return [_way(task, "Einsum", task.inputs, [("Einsum", ["d", "e"], "g", {"equation": "nkp,nk->kp"})])]


def _value(name: str, array: Any) -> Any:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


def _way(task: Task, name: str, inputs: Dict[str, Any], nodes: Nodes) -> Way:
    out = task.outputs()
    graph = helper.make_graph([helper.make_node(kind, given, [made], **more) for kind, given, made, more in nodes],
                              task.op, [_value(key, array) for key, array in inputs.items()],
                              [_value(key, array) for key, array in out.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)
    onnx.checker.check_model(model)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for key, array in inputs.items():
        binding.bind_ortvalue_input(key, onnxruntime.OrtValue.ortvalue_from_numpy(array))
    made = {key: onnxruntime.OrtValue.ortvalue_from_numpy(array) for key, array in out.items()}
    for key, value in made.items():
        binding.bind_ortvalue_output(key, value)
    return Way(name, looped(lambda: session.run_with_iobinding(binding)),
               lambda: {key: value.numpy() for key, value in made.items()})
