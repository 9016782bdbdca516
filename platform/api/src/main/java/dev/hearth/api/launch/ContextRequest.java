package dev.hearth.api.launch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request to open a context: the application's name, which may be empty, and the settings of the context's builder,
 * in order. Immutable.
 */
public record ContextRequest(String name, Map<String, String> settings) {
    public ContextRequest {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }
}
