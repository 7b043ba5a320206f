"""Regions of images: pooled regions of interest, anchors, proposals, reorganised feature maps."""

from relaylogic.logic import agree, eq, equals, fail, floordiv, fresh, lall, leo, stating, times
from relaylogic.rulebase import ShapeVar, operator, relation
from relaylogic.types import TensorType as Tensor
from relaylogic.types import TupleType as Tuple

from .creation import extents
from .scan import ElementCount


def regions(rois, count):
    """`rois` lists so many regions."""
    columns = fresh()
    return lall(
        eq(rois, Tensor((count, columns), fresh())),
        stating("a region is a batch index and four corners", agree(columns, 5)),
    )


def pooled_size(attrs):
    """Height and width of a pooled region, or None if they are not two naturals."""
    size = extents((attrs.pooled_size or ())[:2])
    return size if size is not None and len(size) == 2 else None


@relation
def RoiPool(data, rois, out, attrs):
    """Every region of interest, a row of batch index and four corners, is pooled to one size."""


@RoiPool.clause
def channels_first(data, rois, out, attrs):
    if attrs.layout not in ("NCHW", "NHWC"):
        return stating("`layout` is NCHW or NHWC", fail)
    if attrs.layout != "NCHW":
        return fail
    size = pooled_size(attrs)
    if size is None:
        return stating("pooled_size lists two naturals", fail)
    n, c, h, w, count, dtype = fresh(6)
    return lall(eq(data, Tensor((n, c, h, w), dtype)), eq(out, Tensor((count, c, *size), dtype)), regions(rois, count))


@RoiPool.clause
def channels_last(data, rois, out, attrs):
    if attrs.layout != "NHWC":
        return fail
    size = pooled_size(attrs)
    if size is None:
        return stating("pooled_size lists two naturals", fail)
    n, c, h, w, count, dtype = fresh(6)
    return lall(eq(data, Tensor((n, h, w, c), dtype)), eq(out, Tensor((count, *size, c), dtype)), regions(rois, count))


@relation
def MultiBoxPrior(data, out, attrs):
    """Boxes around every place of a feature map: one for each size, and one for each ratio but the first."""


@MultiBoxPrior.clause
def boxes_per_place(data, out, attrs):
    per_place = len(attrs.sizes or ()) + len(attrs.ratios or ()) - 1
    n, c, h, w, count, dtype = fresh(6)
    return lall(
        stating("the data is [batch, channel, height, width]", eq(data, Tensor((n, c, h, w), dtype))),
        eq(out, Tensor((1, count, 4), dtype)),
        stating("every place has its boxes", ElementCount((h, w, per_place), count)),
    )


@relation
def MultiBoxTransformLoc(cls_prob, loc_pred, anchor, out):
    """Anchors moved to where they were predicted, as rows of class, score and corners; how many are valid."""


@MultiBoxTransformLoc.clause
def moved_anchors(cls_prob, loc_pred, anchor, out):
    batch, classes, scored, loc_batch, offsets, anchor_batch, anchors, corners, dtype = fresh(9)
    return lall(
        eq(cls_prob, Tensor((batch, classes, scored), dtype)),
        eq(loc_pred, Tensor((loc_batch, offsets), fresh())),
        eq(anchor, Tensor((anchor_batch, anchors, corners), fresh())),
        eq(out, Tuple((Tensor((batch, anchors, 6), dtype), Tensor((batch,), "int32")))),
        stating("there are anchors", leo(1, anchors)),
        stating("every anchor has its scores", agree(scored, anchors)),
        stating("every anchor has four offsets", FourTimes(scored, offsets)),
        stating("an anchor has four corners", agree(corners, 4)),
        stating("scores and offsets are of one batch", agree(batch, loc_batch)),
    )


@relation
def FourTimes(count: ShapeVar, result: ShapeVar):
    """`result` agrees with four times `count`."""


@FourTimes.clause
def four_each(count, result):
    product = fresh()
    return lall(equals(times(count, 4), product), agree(product, result))


@relation
def Proposal(cls_prob, bbox_pred, im_info, out, attrs):
    """The best regions that a region proposal network found, so many for every image."""


@Proposal.clause
def best_regions(cls_prob, bbox_pred, im_info, out, attrs):
    batch, scores, h, w, box_batch, offsets, box_h, box_w, images, numbers, count, dtype = fresh(12)
    return lall(
        eq(cls_prob, Tensor((batch, scores, h, w), dtype)),
        eq(bbox_pred, Tensor((box_batch, offsets, box_h, box_w), fresh())),
        eq(im_info, Tensor((images, numbers), fresh())),
        eq(out, Tensor((count, 5), dtype)),
        stating("an image has height, width and scale", agree(numbers, 3)),
        stating("scores and boxes are of one batch", agree(batch, box_batch), agree(batch, images)),
        stating("scores and boxes stand at the same places", agree(h, box_h), agree(w, box_w)),
        ElementCount((batch, attrs.rpn_post_nms_top_n), count),
    )


@relation
def YoloReorg(data, out, attrs):
    """Blocks of places become channels."""


@YoloReorg.clause
def blocks_to_channels(data, out, attrs):
    stride = attrs.stride
    if stride is None or stride < 1:
        return stating("the stride is positive", fail)
    n, c, h, w, deep, low, narrow, dtype = fresh(8)
    return lall(
        eq(data, Tensor((n, c, h, w), dtype)),
        eq(out, Tensor((n, deep, low, narrow), dtype)),
        equals(times(c, stride * stride), deep),
        equals(floordiv(h, stride), low),
        equals(floordiv(w, stride), narrow),
    )


POOLED = "pooled_size: list[2]; spatial_scale: float"

operator(
    "vision.roi_align",
    "data, rois",
    RoiPool,
    f"{POOLED}; sample_ratio: int = -1; layout: str[layout NCHW] = 'NCHW'; mode: str[avg|max] = 'avg'",
)
operator("vision.roi_pool", "data, rois", RoiPool, f"{POOLED}; layout: str[layout NCHW] = 'NCHW'")
operator(
    "vision.multibox_prior",
    "data",
    MultiBoxPrior,
    """sizes: floats = (1.0,); ratios: floats = (1.0,); steps: floats = (-1.0, -1.0); offsets: floats = (0.5, 0.5);
    clip: bool = False""",
)
operator(
    "vision.multibox_transform_loc",
    "cls_prob, loc_pred, anchor",
    MultiBoxTransformLoc,
    """clip: bool = True; threshold: float = 0.01; variances: floats = (0.1, 0.1, 0.2, 0.2);
    keep_background: bool = False""",
)
operator(
    "vision.proposal",
    "cls_prob, bbox_pred, im_info",
    Proposal,
    """scales: floats = (4.0, 8.0, 16.0, 32.0); ratios: floats = (0.5, 1.0, 2.0); feature_stride: int = 16;
    threshold: float = 0.7; rpn_pre_nms_top_n: int = 6000; rpn_post_nms_top_n: int = 300; rpn_min_size: int = 16;
    iou_loss: bool = False""",
)
operator("vision.yolo_reorg", "data", YoloReorg, "stride: integer = 1")
