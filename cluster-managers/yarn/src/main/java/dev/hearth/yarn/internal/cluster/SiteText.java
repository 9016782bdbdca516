package dev.hearth.yarn.internal.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.net.Bytes;
import java.util.Map;

/** Text of a file of Hadoop's configuration. The same values give the same bytes. Pure. */
final class SiteText {
    private SiteText() {}

    /** The file with {@code values}, in their order. */
    static Bytes of(Map<String, String> values) {
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        values.forEach((name, value) -> text.append("<property><name>")
                .append(escaped(name))
                .append("</name><value>")
                .append(escaped(value))
                .append("</value></property>\n"));
        return Bytes.owning(text.append("</configuration>\n").toString().getBytes(UTF_8));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
