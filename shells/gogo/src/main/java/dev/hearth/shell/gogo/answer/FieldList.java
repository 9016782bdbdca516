package dev.hearth.shell.gogo.answer;

import dev.hearth.spi.error.PrintableText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Output that consists of named values of one subject, one value per line. Immutable. */
public final class FieldList implements CommandOutput {
    private static final String GAP = "  ";

    private final Map<String, OutputValue> values;

    private FieldList(Map<String, OutputValue> values) {
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    public static Builder begin() {
        return new Builder();
    }

    @Override
    public String text(PageFormat page) {
        int names = values.keySet().stream().mapToInt(String::length).max().orElse(0);
        int room = Math.max(1, page.width() - names - GAP.length());
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> {
            List<String> lines = TextWrapping.lines(value.shown(), room);
            for (int row = 0; row < lines.size(); row++) {
                String label = row == 0 ? name : "";
                String line = label + " ".repeat(names - label.length()) + GAP + value.painted(lines.get(row), page);
                text.append(line.stripTrailing()).append('\n');
            }
        });
        return text.toString();
    }

    @Override
    public String json() {
        Map<String, String> object = new LinkedHashMap<>();
        values.forEach((name, value) -> value.addTo(object, name));
        return AsciiJson.object(object);
    }

    /** Collects values in the order of output. Used by one thread. */
    public static final class Builder {
        private final Map<String, OutputValue> values = new LinkedHashMap<>();

        private Builder() {}

        public Builder fact(String name, OutputValue value) {
            values.put(PrintableText.line(name), value);
            return this;
        }

        public FieldList build() {
            return new FieldList(values);
        }
    }
}
