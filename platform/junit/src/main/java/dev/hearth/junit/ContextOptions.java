package dev.hearth.junit;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Options of the context for a test class or method: the master URL, settings, and whether all methods share it.
 * Immutable.
 */
record ContextOptions(String master, Map<String, String> settings, ContextPer per) {
    ContextOptions {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    static ContextOptions of(HearthTest test) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String setting : test.settings()) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new HearthException(
                        "BAD_ARGUMENT", "@HearthTest: setting '" + setting + "' (expected: key=value)");
            }
            String key = setting.substring(0, equals).strip();
            if (settings.put(key, setting.substring(equals + 1).strip()) != null) {
                throw new HearthException(
                        "BAD_ARGUMENT", "@HearthTest: setting " + key + ": given twice (expected: once)");
            }
        }
        return new ContextOptions(test.master(), settings, test.per());
    }

    HearthContext open(String name) {
        HearthContext.Builder builder = HearthContext.builder().name(name).master(master);
        settings.forEach(builder::setting);
        return builder.open();
    }
}
