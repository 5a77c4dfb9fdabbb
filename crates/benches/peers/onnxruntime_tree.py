"""Classify with ONNX Runtime, using the tree of lucena's generated code, and print one JSON object.

    python onnxruntime_tree.py DATASET.csv MODEL.onnx

DATASET.csv is the output of `lucena dataset`, and MODEL.onnx that of `lucena show --format onnx`. The labels of the
model are strings; here they are replaced by numbers, which are cheaper for the runtime.
"""

import json
import sys

import numpy
import onnx
import onnxruntime

from sklearn_tree import PREDICT_REPETITIONS, median_seconds, read


def numbered(model):
    """The same model with class numbers as labels, and the class names in order."""
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
    # One thread, like all other peers here, and then as many as the runtime chooses.
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
