"""Non-maximum suppression: of boxes that overlap, the best one is kept.

What a kernel reads as a number or as a hint (thresholds, output sizes, indices) may be of any type.
"""

from relaylogic.logic import agree, conde, eq, fail, forallo, fresh, is_known, is_unknown, lall, lany, stating
from relaylogic.rulebase import operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .scan import ElementCount


@relation
def GetValidCounts(data, score_threshold, out):
    """Boxes with a score move to the front: how many there are, the boxes, and where they were."""


@GetValidCounts.clause
def boxes_in_front(data, score_threshold, out):
    batch, boxes, columns, dtype = fresh(4)
    return lall(
        stating("the data is [batch, boxes, columns]", eq(data, Tensor((batch, boxes, columns), dtype))),
        eq(out, Tuple((Tensor((batch,), "int32"), data, Tensor((batch, boxes), "int32")))),
    )


@relation
def NonMaxSuppression(data, valid_count, indices, max_output_size, iou_threshold, out, attrs):
    """The boxes that are kept, or their indices and how many they are."""


def boxes_and_counts(data, valid_count, batch, boxes):
    """`data` has so many batches of so many boxes, `valid_count` a number for each batch."""
    counted = fresh()
    return lall(
        stating("the data is [batch, boxes, columns]", eq(data, Tensor((batch, boxes, fresh()), fresh()))),
        stating("the counts are a vector", eq(valid_count, Tensor((counted,), fresh()))),
        stating("there is a count for each batch", agree(counted, batch)),
    )


@NonMaxSuppression.clause
def indices_of_boxes(data, valid_count, indices, max_output_size, iou_threshold, out, attrs):
    if not attrs.return_indices:
        return fail
    batch, boxes = fresh(2)
    return lall(
        boxes_and_counts(data, valid_count, batch, boxes),
        eq(out, Tuple((Tensor((batch, boxes), "int32"), Tensor((batch, 1), "int32")))),
    )


@NonMaxSuppression.clause
def boxes_themselves(data, valid_count, indices, max_output_size, iou_threshold, out, attrs):
    if attrs.return_indices:
        return fail
    return lall(eq(out, data), boxes_and_counts(data, valid_count, *fresh(2)))


def boxes_with_scores(boxes, scores, batch, box_count, score_shape):
    """`boxes` are [batch, box_count, corners]; `scores` have the given shape, whose batch agrees."""
    return lall(
        stating("the boxes are [batch, boxes, corners]", eq(boxes, Tensor((batch, box_count, fresh()), fresh()))),
        stating("the scores are of rank 3", eq(scores, Tensor(score_shape, fresh()))),
        stating("boxes and scores are of one batch", agree(batch, score_shape[0])),
    )


def boxes_of_all_classes(extents, classes, kept):
    """As many boxes as `extents` multiply to, for each class; `?` if one of those is."""
    return conde(
        [forallo(is_known, extents), ElementCount((*extents, classes), kept)],
        [lany(*(lall(is_unknown(extent), eq(extent, kept)) for extent in extents))],
    )


@relation
def AllClassNMS(boxes, scores, max_output_boxes_per_class, iou_threshold, score_threshold, out, attrs):
    """The indices of the boxes kept for each class, in ONNX's or TensorFlow's format, and how many they are."""


@AllClassNMS.clause
def onnx(boxes, scores, max_output_boxes_per_class, iou_threshold, score_threshold, out, attrs):
    if attrs.output_format != "onnx":
        return fail
    batch, count, scored_batch, classes, scored, kept = fresh(6)
    return lall(
        boxes_with_scores(boxes, scores, batch, count, (scored_batch, classes, scored)),
        stating("every box has a score", agree(count, scored)),
        eq(out, Tuple((Tensor((kept, 3), "int64"), Tensor((1,), "int64")))),
        boxes_of_all_classes((batch, count), classes, kept),
    )


@AllClassNMS.clause
def tensorflow(boxes, scores, max_output_boxes_per_class, iou_threshold, score_threshold, out, attrs):
    if attrs.output_format == "onnx":
        return fail
    batch, count, scored_batch, classes, scored, kept = fresh(6)
    return lall(
        boxes_with_scores(boxes, scores, batch, count, (scored_batch, classes, scored)),
        stating("every box has a score", agree(count, scored)),
        eq(
            out,
            Tuple(
                (
                    Tensor((batch, kept, 2), "int64"),
                    Tensor((batch, kept), "float32"),
                    Tensor((batch,), "int64"),
                )
            ),
        ),
        boxes_of_all_classes((count,), classes, kept),
    )


@relation
def RegularNMS(boxes, scores, out, attrs):
    """A fixed number of detections for each batch: corners, classes, scores, and how many are valid."""


@RegularNMS.clause
def detections(boxes, scores, out, attrs):
    kept = attrs.max_detections
    if kept < 0:
        return stating("max_detections is a natural", fail)
    batch, count, scored_batch, scored, classes = fresh(5)
    corners, numbers = Tensor((batch, kept, 4), "float32"), Tensor((batch, kept), "float32")
    return lall(
        boxes_with_scores(boxes, scores, batch, count, (scored_batch, scored, classes)),
        stating("every box has a score", agree(count, scored)),
        eq(out, Tuple((corners, numbers, numbers, Tensor((batch,), "int32")))),
    )


operator(
    "vision.get_valid_counts",
    "data, score_threshold",
    GetValidCounts,
    "score_threshold: object = None; id_index: int = 0; score_index: int = 1",
)
operator(
    "vision.non_max_suppression",
    "data, valid_count, indices, max_output_size, iou_threshold",
    NonMaxSuppression,
    """force_suppress: bool = False; top_k: int = -1; coord_start: int = 2; score_index: int = 1; id_index: int = 0;
    return_indices: bool = True; invalid_to_bottom: bool = False""",
)
operator(
    "vision.all_class_non_max_suppression",
    "boxes, scores, max_output_boxes_per_class, iou_threshold, score_threshold",
    AllClassNMS,
    "output_format: str[onnx|tensorflow] = 'onnx'",
)
operator(
    "vision.regular_non_max_suppression",
    "boxes, scores",
    RegularNMS,
    """max_detections_per_class: int; max_detections: int; num_classes: int; iou_threshold: float;
    score_threshold: float""",
)
