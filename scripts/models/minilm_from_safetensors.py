"""BERT sentence encoder (all-MiniLM-L6-v2): safetensors to one int8 ONNX file for transformers.js.

Weights are stored as int8, every 32 along a row sharing one float16 scale. The
graph's constant part expands them to float32 when a session is created: a small download, float32 arithmetic, and
only operators that both the WASM and the WebGPU backend have.

How public/models/all-MiniLM-L6-v2 was made. Needs numpy, onnx and safetensors; MODEL_DIR is a download of
sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0).

usage: python minilm_from_safetensors.py MODEL_DIR OUT_DIR [--float32]
"""
import json
import os
import shutil
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper as nh
from safetensors.numpy import load_file

MS = "com.microsoft"
GROUP = 32  # weights that share a scale


def main(model_dir, out_dir, float32=False):
    cfg = json.load(open(os.path.join(model_dir, "config.json")))
    w = load_file(os.path.join(model_dir, "model.safetensors"))
    hidden, heads, eps = cfg["hidden_size"], cfg["num_attention_heads"], cfg["layer_norm_eps"]
    nodes, inits, count = [], [], [0]

    def const(name, a):
        inits.append(nh.from_array(np.array(a, order="C"), name))
        return name

    def op(kind, inputs, outputs=None, domain="", **attrs):
        count[0] += 1
        outputs = outputs or [f"{kind}_{count[0]}"]
        nodes.append(h.make_node(kind, inputs, outputs, name=f"n{count[0]}_{kind}", domain=domain, **attrs))
        return outputs[0]

    def int8(a):
        """[rows, columns] -> int8 [rows, groups, GROUP] and float16 scales [rows, groups, 1]."""
        a = a.reshape(a.shape[0], -1, GROUP)
        scale = (np.abs(a).max(axis=2, keepdims=True) / 127).astype(np.float16)
        return np.clip(np.rint(a / np.maximum(scale.astype(np.float32), 1e-12)), -127, 127).astype(np.int8), scale

    def weight(name):
        """the float32 matrix as stored in the source, [rows, columns]"""
        a = w[name].astype(np.float32)
        if float32:
            return const(name, a)
        q, s = (const(name + end, part) for end, part in zip((".q", ".s"), int8(a)))
        x = op("Mul", [op("Cast", [q], to=T.FLOAT), op("Cast", [s], to=T.FLOAT)])
        return op("Reshape", [x, const(name + ".shape", np.array(a.shape, np.int64))])

    def lookup(name, ids):
        return op("Gather", [weight(name), ids])

    def linear(x, name):
        return op("Add", [op("MatMul", [x, op("Transpose", [weight(name + ".weight")], perm=[1, 0])]), const(name + ".bias", w[name + ".bias"])])

    def norm(x, skip, name):
        g, b = const(name + ".weight", w[name + ".weight"]), const(name + ".bias", w[name + ".bias"])
        if skip is None:
            return op("LayerNormalization", [x, g, b], axis=-1, epsilon=eps)
        return op("SkipLayerNormalization", [x, skip, g, b], domain=MS, epsilon=eps)

    const("zero", np.array(0, np.int64)), const("one", np.array(1, np.int64))
    length = op("Gather", [op("Shape", ["input_ids"]), "one"])
    positions = op("Range", ["zero", length, "one"])
    x = op("Add", [op("Add", [lookup("embeddings.word_embeddings.weight", "input_ids"),
                              lookup("embeddings.token_type_embeddings.weight", "token_type_ids")]),
                   lookup("embeddings.position_embeddings.weight", positions)])
    x = norm(x, None, "embeddings.LayerNorm")
    # additive mask [batch, 1, 1, sequence]: 0 where attended, a large negative number where padded
    gap = op("Sub", [op("Cast", ["attention_mask"], to=T.FLOAT), const("onef", np.array(1, np.float32))])
    mask = op("Unsqueeze", [op("Mul", [gap, const("big", np.array(10000, np.float32))]), const("axes", np.array([1, 2], np.int64))])
    const("split", np.array([0, 0, heads, hidden // heads], np.int64)), const("join", np.array([0, 0, hidden], np.int64))
    const("root", np.array((hidden // heads) ** -0.5, np.float32))

    for i in range(cfg["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        q, k, v = (op("Transpose", [op("Reshape", [linear(x, f"{p}attention.self.{n}"), "split"])], perm=perm)
                   for n, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])))
        scores = op("Add", [op("Mul", [op("MatMul", [q, k]), "root"]), mask])
        a = op("MatMul", [op("Softmax", [scores], axis=-1), v])
        a = op("Reshape", [op("Transpose", [a], perm=[0, 2, 1, 3]), "join"])
        x = norm(linear(a, p + "attention.output.dense"), x, p + "attention.output.LayerNorm")
        y = op("Gelu", [linear(x, p + "intermediate.dense")], domain=MS)
        x = norm(linear(y, p + "output.dense"), x, p + "output.LayerNorm")
    nodes[-1].output[0] = "last_hidden_state"
    info = h.make_tensor_value_info
    inputs = [info(n, T.INT64, ["batch", "sequence"]) for n in ("input_ids", "attention_mask", "token_type_ids")]
    outputs = [info("last_hidden_state", T.FLOAT, ["batch", "sequence", hidden])]
    model = h.make_model(h.make_graph(nodes, "encoder", inputs, outputs, inits),
                         opset_imports=[h.make_opsetid("", 17), h.make_opsetid(MS, 1)], ir_version=8,
                         producer_name="minilm_from_safetensors")
    os.makedirs(os.path.join(out_dir, "onnx"), exist_ok=True)
    onnx.save(model, os.path.join(out_dir, "onnx", "model.onnx" if float32 else "model_int8.onnx"))
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(os.path.join(model_dir, name), os.path.join(out_dir, name))


if __name__ == "__main__":
    main(*sys.argv[1:3], float32="--float32" in sys.argv)
