package dev.hearth.api.launch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an application asks for when it opens a context: its name (may be empty) and its own settings, in order. */
public record ContextRequest(String name, Map<String, String> settings) {
    public ContextRequest {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }
}
