package dev.hearth.rest.internal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Request to run an application. Texts may be empty. {@code unknownFields} are the names of fields that the protocol does
 * not know, in their order.
 */
record CreateRequest(
        String appResource,
        String mainClass,
        List<String> arguments,
        Map<String, String> properties,
        Map<String, String> environment,
        List<String> unknownFields) {
    CreateRequest {
        arguments = List.copyOf(arguments);
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        unknownFields = List.copyOf(unknownFields);
    }

    /** Text form without properties and environment, which may contain secrets. */
    @Override
    public String toString() {
        return mainClass + " of " + appResource;
    }
}
