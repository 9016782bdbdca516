package dev.hearth.spi.packages;

import dev.hearth.spi.error.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Package that an application names: a coordinate, or a URI such as {@code
 * ivy://group:name:version?transitive=false&exclude=group:name&repos=URL}. If {@code transitive} is not set, the package
 * comes without what it depends on. Immutable.
 */
public record RequestedPackage(
        PackageCoordinate coordinate, boolean transitive, List<PackageExclude> excludes, List<String> repositories) {
    /** Scheme of the URIs that name packages, as in Spark. */
    public static final String SCHEME = "ivy";

    private static final String FORM = " (expected: ivy://group:name:version, and then ?transitive=false,"
            + " exclude=group:name or repos=URL, joined by &)";

    public RequestedPackage {
        excludes = List.copyOf(excludes);
        repositories = List.copyOf(repositories);
    }

    /** Whether {@code text} is a URI that names a package. */
    public static boolean isUri(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith(SCHEME + ":");
    }

    /** Parses a coordinate or a URI. Fails with {@code BAD_ARGUMENT}. */
    public static RequestedPackage parse(String text) {
        return isUri(text)
                ? ofUri(text)
                : new RequestedPackage(PackageCoordinate.parse(text), true, List.of(), List.of());
    }

    private static RequestedPackage ofUri(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure("package '" + text + "': " + malformed.getMessage() + FORM, malformed);
        }
        if (uri.getAuthority() == null) {
            throw bad(text, "no coordinate after ivy://");
        }
        PackageCoordinate coordinate = PackageCoordinate.parse(uri.getAuthority());
        boolean transitive = true;
        List<PackageExclude> excludes = new ArrayList<>();
        List<String> repositories = new ArrayList<>();
        String query = uri.getQuery() == null ? "" : uri.getQuery();
        for (String parameter : query.isEmpty() ? List.<String>of() : List.of(query.split("&", -1))) {
            int sign = parameter.indexOf('=');
            String name = sign < 0 ? parameter : parameter.substring(0, sign);
            String value = sign < 0 ? "" : parameter.substring(sign + 1).strip();
            if (value.isEmpty()) {
                throw bad(text, "parameter '" + parameter + "' without a value");
            }
            switch (name) {
                case "transitive" -> transitive = value.equalsIgnoreCase("true");
                case "exclude" -> List.of(value.split(",", -1)).forEach(one -> excludes.add(PackageExclude.parse(one)));
                case "repos" -> repositories.addAll(List.of(value.split(",", -1)));
                default -> throw bad(text, "parameter '" + name + "' is unknown");
            }
        }
        return new RequestedPackage(coordinate, transitive, excludes, repositories);
    }

    private static RuntimeException bad(String text, String found) {
        return ErrorCode.BAD_ARGUMENT.failure("package '" + text + "': " + found + FORM);
    }
}
