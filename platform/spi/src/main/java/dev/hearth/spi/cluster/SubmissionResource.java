package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * File or directory that a submission carries: what the application uses it for, and its address. The scheme of the
 * address decides who provides it: {@code local:} is on every machine already, {@code file:} on the machine that starts
 * the driver, {@code content:} on the cluster, to which it was uploaded ({@link ContentAddress}), and every other scheme is
 * fetched before the application starts. Immutable.
 */
public record SubmissionResource(Kind kind, URI uri) {
    /** Scheme of a file that every machine of the cluster has under the same path. */
    public static final String LOCAL = "local";
    /** Scheme of a file of the machine that starts the driver. */
    public static final String FILE = "file";

    /** Purpose of a resource. Orders contain its name, so constants keep their names. */
    public enum Kind {
        /** Jar that the command line names. A submission has at most one. */
        APPLICATION_JAR,
        /** Further jar of the application, for driver and executors. */
        JAR,
        /** File that driver and executors find by its name. */
        FILE,
        /** Archive that driver and executors find unpacked, by its name. */
        ARCHIVE,
        /** Jar or directory that the driver's class loader searches first; {@code dir/*} stands for the jars in it. */
        CLASS_PATH,
        /** Directory of native libraries for the driver. */
        NATIVE_PATH
    }

    /** Fails with {@code BAD_ARGUMENT} unless the address has a scheme and a path. */
    public SubmissionResource {
        boolean isLocal = LOCAL.equals(uri.getScheme()) || FILE.equals(uri.getScheme());
        String path = uri.getPath();
        boolean isRooted = path != null && path.startsWith("/") && path.length() > 1;
        if (uri.getScheme() == null || !isRooted || (isLocal && uri.getAuthority() != null)) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "'" + uri + "': no absolute address (expected: a path, or a URI such as"
                            + " file:/home/me/a.jar, local:/opt/a.jar or https://host/a.jar)");
        }
    }

    /** Resource with the address {@code text}, an absolute path or a URI. Fails with {@code BAD_ARGUMENT}. */
    public static SubmissionResource of(Kind kind, String text) {
        try {
            return new SubmissionResource(
                    kind, text.startsWith("/") ? Path.of(text).toUri() : new URI(ContentAddress.completed(text)));
        } catch (URISyntaxException | InvalidPathException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "'" + text + "': " + malformed.getMessage() + " (expected: an absolute path, or a URI such as"
                            + " file:/home/me/a.jar, with %20 for a blank)",
                    malformed);
        }
    }

    /** Resource of a text that {@link #text} wrote. Fails with {@code BAD_ARGUMENT}. */
    public static SubmissionResource parse(String text) {
        String[] parts = text.split(" ", 2);
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(parts[0]) && parts.length == 2) {
                return of(kind, parts[1]);
            }
        }
        throw ErrorCode.BAD_ARGUMENT.failure("resource '" + text + "': (expected: one of " + List.of(Kind.values())
                + ", a blank and an address); install the submitter's version of Hearth on this machine");
    }

    /** Text form for orders and messages: the kind, a blank, and the address. */
    public String text() {
        return kind.name() + " " + uri;
    }

    public String scheme() {
        return uri.getScheme();
    }

    /** Whether the resource is a path on the machine that uses it, so that it is not fetched. */
    public boolean isPath() {
        return scheme().equals(LOCAL) || scheme().equals(FILE);
    }

    /** The path of a {@code local:} or {@code file:} address. */
    public Path path() {
        if (!isPath()) {
            throw new IllegalStateException(this + " is not a path");
        }
        return Path.of(uri.getPath());
    }

    /** The name after {@code #}, under which the application finds the resource; empty if there is none. */
    public Optional<String> alias() {
        return Optional.ofNullable(uri.getFragment());
    }

    /** The name of the resource: its alias, otherwise the last part of its path. */
    public String name() {
        return alias().orElseGet(this::fileName);
    }

    /** The last part of the path, without regard to an alias. */
    public String fileName() {
        String path = uri.getPath();
        String plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return plain.substring(plain.lastIndexOf('/') + 1);
    }

    /** The address without an alias. */
    public URI address() {
        String text = uri.toString();
        return uri.getRawFragment() == null ? uri : URI.create(text.substring(0, text.indexOf('#')));
    }

    /** The same resource under another address. */
    public SubmissionResource at(URI other) {
        return new SubmissionResource(kind, other);
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
