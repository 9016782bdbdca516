package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.http.HttpRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Fields of requests, which are in the query or in the body of a form. Stateless. */
final class FormFields {
    private static final String FORM = "application/x-www-form-urlencoded";

    private FormFields() {}

    /**
     * Values of the field {@code name} that are not blank, those of the query first. Fails with
     * {@link IllegalArgumentException} if the form is not URL-encoded.
     */
    static List<String> of(HttpRequest request, String name) {
        List<String> values = new ArrayList<>(request.query().getOrDefault(name, List.of()));
        if (request.header("content-type").filter(type -> type.startsWith(FORM)).isPresent()) {
            for (String field : new String(request.body().toArray(), StandardCharsets.UTF_8).split("&", -1)) {
                if (field.startsWith(name + "=")) {
                    values.add(URLDecoder.decode(field.substring(name.length() + 1), StandardCharsets.UTF_8));
                }
            }
        }
        values.removeIf(String::isBlank);
        return values;
    }
}
