#include "src/nets/mlp.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_addmm_activation.h>
#include <ATen/ops/_embedding_bag_forward_only.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/tanh_backward.h>
#include <ATen/ops/threshold_backward.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <utility>

#include "src/base/error.h"
#include "src/nets/orthogonal.h"

namespace dray {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

// Splits the first layer's weights into those of the counts and those of the numbers.
std::pair<at::Tensor, at::Tensor> SplitWeights(const at::Tensor& weight,
                                               const at::Tensor& numbers) {
  const int64_t counts = weight.size(0) - numbers.size(1);
  return {weight.narrow(0, 0, counts), weight.narrow(0, counts, numbers.size(1))};
}

at::Tensor FirstLayer(const Mlp::Layer& layer, const at::Tensor& numbers, const PickedBags& bags) {
  if (!bags.defined()) return at::addmm(layer.bias, numbers, layer.weight);
  const auto [of_counts, of_numbers] = SplitWeights(layer.weight, numbers);
  const at::Tensor counted =
      std::get<0>(at::_embedding_bag_forward_only(of_counts, bags.indices, bags.starts))
          .add_(layer.bias);
  return numbers.size(1) == 0 ? counted : at::addmm(counted, numbers, of_numbers);
}

// Returns the activations of every layer but the last, then the output.
std::vector<at::Tensor> ForwardLayers(const std::vector<Mlp::Layer>& layers, Activation activation,
                                      const at::Tensor& numbers, const PickedBags& bags) {
  std::vector<at::Tensor> outputs;
  outputs.reserve(layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    const Mlp::Layer& layer = layers[i];
    const bool last = i + 1 == layers.size();
    if (numbers.is_cuda() && activation == RELU && !last && (i > 0 || !bags.defined())) {
      // Fused with the product; on other devices that gains nothing.
      outputs.push_back(at::_addmm_activation(layer.bias, i == 0 ? numbers : outputs.back(),
                                              layer.weight, 1, 1, /*use_gelu=*/false));
      continue;
    }
    outputs.push_back(i == 0 ? FirstLayer(layer, numbers, bags)
                             : at::addmm(layer.bias, outputs.back(), layer.weight));
    if (!last) {
      activation == TANH ? outputs.back().tanh_() : outputs.back().relu_();
    }
  }
  return outputs;
}

void FirstLayerGradient(const at::Tensor& numbers, const at::Tensor& indices,
                        const at::Tensor& row_of, const at::Tensor& gradient,
                        at::Tensor weight_gradient) {
  auto [of_counts, of_numbers] = SplitWeights(weight_gradient, numbers);
  at::mm_out(of_numbers, numbers.t(), gradient);
  if (!indices.defined()) return;
  of_counts.zero_();
  of_counts.index_add_(0, indices, gradient.index_select(0, row_of));
}

// Input of the first layer.
struct FirstInput {
  at::Tensor numbers;
  at::Tensor indices, row_of;  // see PickedBags
};

// Overwrites the layers' gradients, given the activations of every layer but the last and the
// gradient with respect to the output.
void BackwardLayers(const std::vector<Mlp::Layer>& layers, Activation activation,
                    const FirstInput& input, const std::vector<at::Tensor>& activations,
                    at::Tensor gradient, std::vector<Mlp::Layer> layer_gradients) {
  for (size_t i = layers.size(); i-- > 0;) {
    at::sum_out(layer_gradients[i].bias, gradient, {0});
    if (i == 0) {
      FirstLayerGradient(input.numbers, input.indices, input.row_of, gradient,
                         layer_gradients[0].weight);
      break;
    }
    const at::Tensor& from = activations[i - 1];
    at::mm_out(layer_gradients[i].weight, from.t(), gradient);
    gradient = at::mm(gradient, layers[i].weight.t());
    gradient = activation == TANH ? at::tanh_backward(gradient, from)
                                  : at::threshold_backward(gradient, from, 0);
  }
}

struct MlpNode : public torch::autograd::Function<MlpNode> {
  static Variable forward(AutogradContext* context, const Mlp& mlp, Activation activation,
                          const PickedBags& bags, const Variable& numbers,
                          const Variable& parameters) {
    std::vector<at::Tensor> outputs =
        ForwardLayers(mlp.Layers(parameters), activation, numbers, bags);
    at::Tensor result = outputs.back();
    outputs.pop_back();
    variable_list saved = {parameters, numbers, bags.indices, bags.row_of};
    saved.insert(saved.end(), outputs.begin(), outputs.end());
    context->save_for_backward(std::move(saved));
    context->saved_data["mlp"] = reinterpret_cast<int64_t>(&mlp);
    context->saved_data["activation"] = static_cast<int64_t>(activation);
    return result;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto& mlp = *reinterpret_cast<const Mlp*>(context->saved_data["mlp"].toInt());
    const auto activation = static_cast<Activation>(context->saved_data["activation"].toInt());
    const variable_list saved = context->get_saved_variables();
    constexpr size_t kOutputs = 4;  // index of the first layer's output
    at::Tensor flat = at::empty({mlp.parameter_count()}, saved[0].options());
    BackwardLayers(mlp.Layers(saved[0]), activation, {saved[1], saved[2], saved[3]},
                   {saved.begin() + kOutputs, saved.end()}, gradients[0], mlp.Layers(flat));
    return {Variable(), Variable(), Variable(), Variable(), flat};
  }
};

}  // namespace

Mlp::Mlp(std::vector<int64_t> sizes, Activation activation)
    : sizes_(std::move(sizes)), activation_(activation) {
  DRAY_CHECK_GE(sizes_.size(), 2u);
  for (size_t i = 0; i + 1 < sizes_.size(); ++i)
    parameter_count_ += (sizes_[i] + 1) * sizes_[i + 1];
}

at::Tensor Mlp::Init(double output_gain, Rng& rng) const {
  const at::Tensor parameters = at::zeros({parameter_count_}, at::kFloat);
  auto layers = Layers(parameters);
  for (size_t i = 0; i < layers.size(); ++i) {
    const double gain = i + 1 == layers.size() ? output_gain : std::sqrt(2.0);
    layers[i].weight.copy_(Orthogonal(sizes_[i], sizes_[i + 1], gain, rng));
  }
  return parameters;
}

std::vector<Mlp::Layer> Mlp::Layers(const at::Tensor& parameters) const {
  DRAY_CHECK_EQ(parameters.numel(), parameter_count_);
  std::vector<Layer> layers;
  layers.reserve(sizes_.size() - 1);
  int64_t offset = 0;
  for (size_t i = 0; i + 1 < sizes_.size(); ++i) {
    const int64_t in = sizes_[i], out = sizes_[i + 1];
    layers.push_back(
        {parameters.as_strided({in, out}, {out, 1}, parameters.storage_offset() + offset),
         parameters.as_strided({out}, {1}, parameters.storage_offset() + offset + out * in)});
    offset += out * (in + 1);
  }
  return layers;
}

NamedTensors Mlp::Named(const at::Tensor& parameters) const {
  NamedTensors named;
  const auto layers = Layers(parameters);
  for (size_t i = 0; i < layers.size(); ++i) {
    named.emplace_back(Cat(i, ".weight"), layers[i].weight.t());
    named.emplace_back(Cat(i, ".bias"), layers[i].bias);
  }
  return named;
}

at::Tensor Mlp::Forward(const NetInput& input, const at::Tensor& parameters) const {
  const PickedBags bags(input.bags);
  if (c10::GradMode::is_enabled() && parameters.requires_grad()) {
    return MlpNode::apply(*this, activation_, bags, input.numbers, parameters);
  }
  return ForwardLayers(Layers(parameters), activation_, input.numbers, bags).back();
}

void Mlp::Differentiate(const NetInput& input, const at::Tensor& parameters,
                        const at::Tensor& gradients, const ByOutputs& by_outputs) const {
  const c10::NoGradGuard no_grad;
  const PickedBags bags(input.bags);
  const std::vector<Layer> layers = Layers(parameters);
  std::vector<at::Tensor> outputs = ForwardLayers(layers, activation_, input.numbers, bags);
  const at::Tensor by = by_outputs(outputs.back());
  outputs.pop_back();
  BackwardLayers(layers, activation_, {input.numbers, bags.indices, bags.row_of}, outputs, by,
                 Layers(gradients));
}

}  // namespace dray
