package dev.hearth.kubernetes.internal.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Object to create: its kind, its name and labels, the uid of the object that owns it, and its whole text in JSON. The
 * text may contain secrets, so {@link #toString} leaves it out. Immutable.
 */
public record ApiObject(
        Resource resource, String name, Map<String, String> labels, Optional<String> ownerUid, String json) {
    public ApiObject {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    @Override
    public String toString() {
        return resource.name().toLowerCase(Locale.ROOT) + " " + name;
    }
}
