package dev.hearth.hadoopclient.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Text of a site file. Stateless. */
final class SiteDocument {
    private static final String END = "</configuration>";

    private SiteDocument() {}

    /**
     * The file {@code base}, if there is one, followed by {@code properties}, which are final: no other site file
     * overrides them.
     */
    static String of(@Nullable Path base, Map<String, String> properties) throws IOException {
        StringBuilder text = new StringBuilder();
        if (base == null) {
            text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration>\n");
        } else {
            String before = Files.readString(base);
            int end = before.lastIndexOf(END);
            if (end < 0) {
                throw new IOException(base + ": no " + END + " (expected: a site file of Hadoop)");
            }
            text.append(before, 0, end);
        }
        properties.forEach((name, value) -> text.append("<property><name>")
                .append(escape(name))
                .append("</name><value>")
                .append(escape(value))
                .append("</value><final>true</final></property>\n"));
        return text.append(END).append('\n').toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
