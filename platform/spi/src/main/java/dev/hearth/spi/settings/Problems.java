package dev.hearth.spi.settings;

import dev.hearth.spi.error.ErrorCode;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** Collects problems with the values of several settings, to report them in one failure. Not thread-safe. */
public final class Problems {
    private final String prefix;
    private final Set<String> lines = new LinkedHashSet<>();

    public Problems(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Adds a problem unless {@code holds} is true: setting {@code name} has the value {@code found}, which breaks
     * {@code rule}.
     */
    public Problems expect(boolean holds, String name, Object found, String rule) {
        if (!holds) {
            lines.add(prefix + "." + name + ": " + found + " (expected: " + rule + ")");
        }
        return this;
    }

    Problems add(String line) {
        lines.add(line);
        return this;
    }

    Problems addAll(Collection<String> more) {
        lines.addAll(more);
        return this;
    }

    public void throwIfAny() {
        if (lines.size() == 1) {
            throw ErrorCode.BAD_SETTING.failure(lines.iterator().next());
        }
        if (!lines.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(lines.size() + " invalid settings:\n  " + String.join("\n  ", lines));
        }
    }

    static String line(String key, String found, String rule, String origin) {
        return key + ": " + found + " (expected: " + rule + "); from " + origin;
    }
}
