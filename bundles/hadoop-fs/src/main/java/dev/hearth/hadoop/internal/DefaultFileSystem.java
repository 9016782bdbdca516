package dev.hearth.hadoop.internal;

import dev.hearth.spi.storage.FileName;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** The file system that {@code fs.defaultFS} names, in which paths without a scheme are. Stateless. */
final class DefaultFileSystem {
    private static final String HOMES = "/user";
    /** Keys of the directory in which the home directories of users are, by scheme. */
    private static final Map<String, String> HOMES_KEYS = Map.of("hdfs", "dfs.user.home.dir.prefix");

    private DefaultFileSystem() {}

    /** The home directory of {@code owner}. Empty if files are local. Opens no file system. */
    static Optional<FileName> home(Configuration configuration, UserGroupInformation owner) {
        URI root = FileSystem.getDefaultUri(configuration);
        String scheme = root.getScheme().toLowerCase(Locale.ROOT);
        if (scheme.equals(FileName.LOCAL)) {
            return Optional.empty();
        }
        String key = HOMES_KEYS.get(scheme);
        String homes = key == null ? HOMES : configuration.get(key, HOMES);
        String authority = root.getAuthority() == null ? "" : root.getAuthority();
        return Optional.of(new FileName(scheme, authority, homes).child(owner.getShortUserName()));
    }
}
