"""What TVM has and relaylogic has not: who asks for it is told so, and what there is instead.

`absent("relay.transform", "FoldConstant")` is the error for a name that a module lacks. Names of TVM 0.14 are told by
what they are for; of any other name it is said that there is none.
"""

from __future__ import annotations

from ..errors import RelayLogicError, said
from ..host.importing import missing

__all__ = ["NotHere", "absent"]


class NotHere(RelayLogicError, AttributeError):
    """A name of TVM's that relaylogic has not."""


_INFERS = "it infers types, and neither transforms, compiles nor runs programs"
_READS = "it reads ONNX models, by `relay.frontend.from_onnx`: write the model in that format"
_TEXT = "a program is written as text, `mod.astext()`, and read by `relay.parse`; pickle keeps it as well"
_ARRAYS = "tensor arrays, a family of data types for each dtype and rank, are no part of it"
_MATCHES = "its patterns match and rewrite expressions; they neither cut them into functions nor follow paths"
_NAMED = "such networks are no part of it; text that TVM's `mod.astext()` gives is read by `relay.parse`"

_PASSES = """
AlterOpLayout AnnotateTarget BackwardFoldScaleAxis BatchingOps CanonicalizeCast CanonicalizeOps
CapturePostDfsIndexInSpans ChangeBatch CollagePartition CombineParallelBatchMatmul CombineParallelConv2D
CombineParallelDense Conv2dToSparse Conv2dToSparse2 ConvertLayout DeadCodeElimination Defunctionalization DefuseOps
DenseToSparse DivToMul DynamicToStatic EliminateCommonSubexpr EtaExpand FakeQuantizationToInteger FastMath
FirstOrderGradient FlattenAtrousConv FlexibleShapeDispatch FoldConstant FoldConstantExpr FoldExplicitPadding
FoldScaleAxis ForwardFoldScaleAxis FuseOps Inline InlineCompilerFunctionsBoundTo LambdaLift LayoutConfig
LazyGradientInit Legalize LiftConstants ManifestLifetimes MarkCompilerFunctionsAsExtern MemoryPlan
MergeCompilerRegions MergeComposite OutlineCompilerFunctionsWithExistingGlobalSymbols PartialEvaluate PartitionGraph
PlanDevices RemoveUnusedFunctions SimplifyExpr SimplifyFCTranspose SimplifyInference SplitArgs ToANormalForm
ToANormalFormExpr ToBasicBlockNormalForm ToCPS ToGraphNormalForm ToMixedPrecision build_config
fake_quantization_to_integer gradient memory_plan mixed_precision recast to_cps un_cps
"""
_ANALYSES = """
AnnotatedRegionSet CallGraph Feature LayerCounter analyze_operations_distribution check_basic_block_normal_form
check_constant count_layers detect_feature extract_fused_functions extract_intermdeiate_expr feature
get_calibration_data get_total_mac_number list_fake_quantized_op_freqs search_fc_transpose to_text
"""
_COMPILER = """
backend build collage create_executor data_dep_optimization debug load_param_dict memory_plan optimize
param_dict profiler_vm quantize save_param_dict vm
"""
_PACKAGES = """
Target arith auto_scheduler autotvm build contrib driver get_global_func lower meta_schedule micro register_func relax
rpc runtime script support target topi
"""
_READERS = """
ChangeDatatype from_caffe from_caffe2 from_coreml from_darknet from_keras from_mxnet from_oneflow from_paddle
from_pytorch from_tensorflow from_tflite
"""

_NETWORKS = """
check_grad ctx_list darknet dcgan densenet dqn inception_v3 lstm mlp mobilenet resnet resnet_3d
run_as_python squeezenet synthetic to_python vgg yolo_detection
"""

_REGISTRATIONS = """
OpImplementation OpSpecialization OpStrategy debug op_attrs register_alter_op_layout register_broadcast_schedule
register_compute register_convert_op_layout register_external_compiler register_fake_quantization_to_integer
register_gradient register_infer_correct_layout register_injective_schedule register_legalize
register_mixed_precision_conversion register_optional_fake_quantization_to_integer register_reduce_schedule
register_schedule register_shape_func register_strategy strategy
"""
_TENSOR_ARRAYS = """
get_ctor get_ctor_static get_global_var get_global_var_static get_name get_name_static get_tensor_ctor
get_tensor_ctor_static get_type_static load_prelude
"""

_WHY: dict[str, dict[str, str]] = {
    "": dict.fromkeys(_PACKAGES.split(), _INFERS),
    "ir": {**dict.fromkeys(("load_json", "save_json"), _TEXT), "register_intrin_lowering": _INFERS},
    "relay": {**dict.fromkeys(_COMPILER.split(), _INFERS), "Module": "a module is an `IRModule`"},
    "relay.analysis": dict.fromkeys(_ANALYSES.split(), _INFERS),
    "relay.build_module": dict.fromkeys(("GraphExecutor", "build", "create_executor", "optimize"), _INFERS),
    "relay.dataflow_pattern": dict.fromkeys(("DominatorPattern", "dominates", "partition"), _MATCHES),
    "relay.dataflow_pattern.DFPattern": dict.fromkeys(("dominates", "partition", "redirect_to"), _MATCHES),
    "relay.frontend": dict.fromkeys(_READERS.split(), _READS),
    "relay.frontend.common": dict.fromkeys(("fold_constant", "infer_value", "infer_value_simulated"), _INFERS),
    "relay.op": dict.fromkeys(_REGISTRATIONS.split(), _INFERS),
    "relay.prelude": dict.fromkeys(("StaticTensorArrayOps", "TensorArrayOps", "get_tensor_array_shape"), _ARRAYS),
    "relay.prelude.Prelude": dict.fromkeys(_TENSOR_ARRAYS.split(), _ARRAYS),
    "relay.qnn": {"transform": _INFERS},
    "relay.testing": dict.fromkeys(_NETWORKS.split(), _NAMED),
    "relay.transform": dict.fromkeys(_PASSES.split(), _INFERS),
}


def is_known(room: str, name: str) -> bool:
    """Whether TVM has the name in that module, and relaylogic has not."""
    return name in _WHY[room]


def absent(room: str, name: str) -> AttributeError | ImportError:
    """The error for a name that a module of relaylogic lacks; `room` is the module as TVM calls it, without `tvm`."""
    path = f"{room}.{name}" if room else name
    why = _WHY[room].get(name)
    if why is None:
        return missing(AttributeError(f"relaylogic has no {said(path)}"))
    return missing(NotHere(f"relaylogic has no `{path}`: {why}"))


