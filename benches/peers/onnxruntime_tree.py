"""Classify with ONNX Runtime, by the tree that lucena's code was generated from, printed as one JSON object.

    python onnxruntime_tree.py DATASET.csv MODEL.onnx

DATASET.csv is what `lucena dataset` writes, MODEL.onnx what `lucena show --format onnx` does. Its labels are
texts; here they become their numbers, which costs the runtime less.
"""

import json
import sys

import numpy
import onnx
import onnxruntime

from sklearn_tree import PREDICT_REPETITIONS, median_seconds, read


def numbered(model):
    """The same model with the number of its class for each label, and the names in their order."""
    node = model.graph.node[0]
    labels = next(one for one in node.attribute if one.name == "classlabels_strings")
    names = [label.decode() for label in labels.strings]
    node.attribute.remove(labels)
    node.attribute.append(onnx.helper.make_attribute("classlabels_int64s", list(range(len(names)))))
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.INT64
    onnx.checker.check_model(model)
    return model.SerializeToString(), names


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: onnxruntime_tree.py DATASET.csv MODEL.onnx")
    attributes, classes, known = read(sys.argv[1], names=True)
    bytes, names = numbered(onnx.load(sys.argv[2]))
    right = numpy.array([names.index(name) for name in known])[classes]
    order = numpy.random.default_rng(0).permutation(len(attributes))
    shuffled = numpy.ascontiguousarray(attributes[order])
    seconds = {}
    # One thread, as everyone else here has, and as many as it likes.
    for key, threads in (("predict_seconds_per_row", 1), ("predict_all_threads_seconds_per_row", 0)):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        session = onnxruntime.InferenceSession(bytes, options, providers=["CPUExecutionProvider"])
        predict = lambda: session.run(None, {"input": shuffled})
        seconds[key] = median_seconds(PREDICT_REPETITIONS, predict) / len(attributes)
    print(
        json.dumps(
            {
                "version": onnxruntime.__version__,
                "rows": attributes.shape[0],
                "attributes": attributes.shape[1],
                **seconds,
                "training_accuracy": float(numpy.mean(predict()[0] == right[order])),
            }
        )
    )


if __name__ == "__main__":
    main()
