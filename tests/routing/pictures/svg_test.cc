#include "src/routing/pictures/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dray {
namespace {

using testing::HasSubstr;

TEST(Svg, TextIsEscaped) {
  EXPECT_EQ(XmlText("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; 'd'");
  EXPECT_EQ(XmlText("Zürich 東京 🚚"), "Zürich 東京 🚚");
}

TEST(Svg, WhatXmlCannotHoldIsAQuestionMark) {
  EXPECT_EQ(XmlText(std::string_view("a\0b\x01\n\x7F", 6)), "a?b???");
  // A byte alone, a character cut short, one written too long, a surrogate, beyond Unicode, a
  // noncharacter.
  EXPECT_EQ(XmlText("\xFF\x80"), "??");
  EXPECT_EQ(XmlText("\xE6\x9D"), "??");
  EXPECT_EQ(XmlText("\xC0\x80"), "??");
  EXPECT_EQ(XmlText("\xED\xA0\x80"), "???");
  EXPECT_EQ(XmlText("\xF4\x90\x80\x80"), "????");
  EXPECT_EQ(XmlText("\xEF\xBF\xBF"), "???");
}

TEST(Svg, CoordinatesAreRoundedToATenthOfAPixel) {
  Svg svg(100, 50, "t");
  svg.Line({0.04, -0.04}, {1e-9, 49.96}, {.stroke = "red"});
  EXPECT_THAT(svg.Document(), HasSubstr("x1=\"0.0\" y1=\"0.0\" x2=\"0.0\" y2=\"50.0\""));
}

TEST(Svg, AHoverTextBelongsToItsShape) {
  Svg svg(100, 50, "t");
  svg.Circle({1, 2}, 3, {.fill = "red", .hover = "a < b"});
  EXPECT_THAT(svg.Document(),
              HasSubstr("<circle cx=\"1.0\" cy=\"2.0\" r=\"3.0\" fill=\"red\"><title>a &lt; b"
                        "</title></circle>\n"));
}

}  // namespace
}  // namespace dray
