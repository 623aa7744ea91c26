// Made by scripts/webllm-models.ts from @mlc-ai/web-llm; not to be edited.
import type { Prebuilt } from './families.ts';

export const PREBUILT: Readonly<Record<string, Prebuilt>> = {
  "SmolLM2-135M-Instruct-q0f16-MLC": {
    "repository": "mlc-ai/SmolLM2-135M-Instruct-q0f16-MLC",
    "library": "v0_2_86/base/SmolLM2-135M-Instruct-q0f16_cs1k-webgpu.wasm",
    "memoryMb": 359.69,
    "contextWindow": 4096
  },
  "SmolLM2-135M-Instruct-q0f32-MLC": {
    "repository": "mlc-ai/SmolLM2-135M-Instruct-q0f32-MLC",
    "library": "v0_2_86/base/SmolLM2-135M-Instruct-q0f32_cs1k-webgpu.wasm",
    "memoryMb": 719.38,
    "contextWindow": 4096
  },
  "SmolLM2-360M-Instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/SmolLM2-360M-Instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/SmolLM2-360M-Instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 376.06,
    "contextWindow": 4096
  },
  "SmolLM2-360M-Instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/SmolLM2-360M-Instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/SmolLM2-360M-Instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 579.61,
    "contextWindow": 4096
  },
  "Qwen2.5-0.5B-Instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/Qwen2.5-0.5B-Instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/Qwen2-0.5B-Instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 944.62,
    "contextWindow": 4096
  },
  "Qwen2.5-0.5B-Instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/Qwen2.5-0.5B-Instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/Qwen2-0.5B-Instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 1060.2,
    "contextWindow": 4096
  },
  "Qwen3-0.6B-q4f16_1-MLC": {
    "repository": "mlc-ai/Qwen3-0.6B-q4f16_1-MLC",
    "library": "v0_2_86/base/Qwen3-0.6B-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 1403.34,
    "contextWindow": 4096
  },
  "Qwen3-0.6B-q4f32_1-MLC": {
    "repository": "mlc-ai/Qwen3-0.6B-q4f32_1-MLC",
    "library": "v0_2_86/base/Qwen3-0.6B-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 1924.98,
    "contextWindow": 4096
  },
  "gemma3-1b-it-q4f16_1-MLC": {
    "repository": "mlc-ai/gemma3-1b-it-q4f16_1-MLC",
    "library": "v0_2_86/base/gemma3-1b-it-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 711.07,
    "contextWindow": 4096
  },
  "Llama-3.2-1B-Instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/Llama-3.2-1B-Instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/Llama-3.2-1B-Instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 879.04,
    "contextWindow": 4096
  },
  "Llama-3.2-1B-Instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/Llama-3.2-1B-Instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/Llama-3.2-1B-Instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 1128.82,
    "contextWindow": 4096
  },
  "Qwen2.5-1.5B-Instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/Qwen2.5-1.5B-Instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/Qwen2-1.5B-Instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 1629.75,
    "contextWindow": 4096
  },
  "Qwen2.5-1.5B-Instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/Qwen2.5-1.5B-Instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/Qwen2-1.5B-Instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 1888.97,
    "contextWindow": 4096
  },
  "SmolLM2-1.7B-Instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/SmolLM2-1.7B-Instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/SmolLM2-1.7B-Instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 1774.19,
    "contextWindow": 4096
  },
  "SmolLM2-1.7B-Instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/SmolLM2-1.7B-Instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/SmolLM2-1.7B-Instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 2692.38,
    "contextWindow": 4096
  },
  "Qwen3-1.7B-q4f16_1-MLC": {
    "repository": "mlc-ai/Qwen3-1.7B-q4f16_1-MLC",
    "library": "v0_2_86/base/Qwen3-1.7B-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 2036.66,
    "contextWindow": 4096
  },
  "Qwen3-1.7B-q4f32_1-MLC": {
    "repository": "mlc-ai/Qwen3-1.7B-q4f32_1-MLC",
    "library": "v0_2_86/base/Qwen3-1.7B-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 2635.44,
    "contextWindow": 4096
  },
  "gemma-2-2b-it-q4f16_1-MLC": {
    "repository": "mlc-ai/gemma-2-2b-it-q4f16_1-MLC",
    "library": "v0_2_86/base/gemma-2-2b-it-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 1895.3,
    "contextWindow": 4096
  },
  "gemma-2-2b-it-q4f32_1-MLC": {
    "repository": "mlc-ai/gemma-2-2b-it-q4f32_1-MLC",
    "library": "v0_2_86/base/gemma-2-2b-it-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 2508.75,
    "contextWindow": 4096
  },
  "Qwen2.5-3B-Instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/Qwen2.5-3B-Instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/Qwen2.5-3B-Instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 2504.76,
    "contextWindow": 4096
  },
  "Qwen2.5-3B-Instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/Qwen2.5-3B-Instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/Qwen2.5-3B-Instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 2893.64,
    "contextWindow": 4096
  },
  "Llama-3.2-3B-Instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/Llama-3.2-3B-Instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/Llama-3.2-3B-Instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 2263.69,
    "contextWindow": 4096
  },
  "Llama-3.2-3B-Instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/Llama-3.2-3B-Instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/Llama-3.2-3B-Instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 2951.51,
    "contextWindow": 4096
  },
  "Phi-3.5-mini-instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/Phi-3.5-mini-instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/Phi-3.5-mini-instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 3672.07,
    "contextWindow": 4096
  },
  "Phi-3.5-mini-instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/Phi-3.5-mini-instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/Phi-3.5-mini-instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 5483.12,
    "contextWindow": 4096
  },
  "Phi-4-mini-instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/Phi-4-mini-instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/Phi-4-mini-instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 3437.58,
    "contextWindow": 4096
  },
  "Phi-4-mini-instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/Phi-4-mini-instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/Phi-4-mini-instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 4220.59,
    "contextWindow": 4096
  },
  "Qwen3-4B-q4f16_1-MLC": {
    "repository": "mlc-ai/Qwen3-4B-q4f16_1-MLC",
    "library": "v0_2_86/base/Qwen3-4B-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 3431.59,
    "contextWindow": 4096
  },
  "Qwen3-4B-q4f32_1-MLC": {
    "repository": "mlc-ai/Qwen3-4B-q4f32_1-MLC",
    "library": "v0_2_86/base/Qwen3-4B-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 4327.71,
    "contextWindow": 4096
  },
  "Qwen2.5-7B-Instruct-q4f16_1-MLC": {
    "repository": "mlc-ai/Qwen2.5-7B-Instruct-q4f16_1-MLC",
    "library": "v0_2_86/base/Qwen2-7B-Instruct-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 5106.67,
    "contextWindow": 4096
  },
  "Qwen2.5-7B-Instruct-q4f32_1-MLC": {
    "repository": "mlc-ai/Qwen2.5-7B-Instruct-q4f32_1-MLC",
    "library": "v0_2_86/base/Qwen2-7B-Instruct-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 5900.09,
    "contextWindow": 4096
  },
  "Qwen3-8B-q4f16_1-MLC": {
    "repository": "mlc-ai/Qwen3-8B-q4f16_1-MLC",
    "library": "v0_2_86/base/Qwen3-8B-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 5695.78,
    "contextWindow": 4096
  },
  "Qwen3-8B-q4f32_1-MLC": {
    "repository": "mlc-ai/Qwen3-8B-q4f32_1-MLC",
    "library": "v0_2_86/base/Qwen3-8B-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 6852.55,
    "contextWindow": 4096
  },
  "gemma-2-9b-it-q4f16_1-MLC": {
    "repository": "mlc-ai/gemma-2-9b-it-q4f16_1-MLC",
    "library": "v0_2_86/base/gemma-2-9b-it-q4f16_1_cs1k-webgpu.wasm",
    "memoryMb": 6422.01,
    "contextWindow": 4096
  },
  "gemma-2-9b-it-q4f32_1-MLC": {
    "repository": "mlc-ai/gemma-2-9b-it-q4f32_1-MLC",
    "library": "v0_2_86/base/gemma-2-9b-it-q4f32_1_cs1k-webgpu.wasm",
    "memoryMb": 8383.33,
    "contextWindow": 4096
  }
};
