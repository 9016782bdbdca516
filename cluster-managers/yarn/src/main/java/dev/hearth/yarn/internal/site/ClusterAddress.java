package dev.hearth.yarn.internal.site;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cluster that a master URL names: {@code yarn} alone is that of the configuration, {@code yarn[DIR]} that of a directory
 * with one, {@code yarn://HOST:PORT} that of a ResourceManager. Immutable.
 */
public record ClusterAddress(Optional<String> directory, Optional<String> resourceManager) {
    private static final Pattern DIRECTORY = Pattern.compile("\\[\\s*([^\\[\\]]+?)\\s*]");
    private static final Pattern RESOURCE_MANAGER = Pattern.compile("[A-Za-z0-9._-]+:\\d{1,5}");

    /** Reads the address in {@code master}; fails with {@code BAD_ARGUMENT} if it has another form. */
    public static ClusterAddress of(MasterUrl master) {
        String rest = master.rest();
        Matcher matcher = DIRECTORY.matcher(rest);
        if (rest.isEmpty()) {
            return new ClusterAddress(Optional.empty(), Optional.empty());
        }
        if (matcher.matches()) {
            return new ClusterAddress(Optional.of(matcher.group(1)), Optional.empty());
        }
        if (RESOURCE_MANAGER.matcher(rest).matches()) {
            return new ClusterAddress(Optional.empty(), Optional.of(rest));
        }
        throw ErrorCode.BAD_ARGUMENT.failure("master " + master
                + ": (expected: yarn, yarn[DIRECTORY] with a directory of Hadoop's configuration, or yarn://host:port with"
                + " the address of a ResourceManager)");
    }
}
