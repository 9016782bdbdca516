package dev.hearth.spi.settings;

import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/** Gathers what is wrong with a set of settings, to say all of it at once. Not shared between threads. */
public final class Problems {
    private final String prefix;
    private final List<String> lines = new ArrayList<>();

    public Problems(String prefix) {
        this.prefix = prefix;
    }

    /** Notes a problem unless {@code holds}. */
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

    public void throwIfAny() {
        if (lines.size() == 1) {
            throw ErrorCode.BAD_SETTING.failure(lines.get(0));
        }
        if (!lines.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(lines.size() + " invalid settings:\n  " + String.join("\n  ", lines));
        }
    }
}
