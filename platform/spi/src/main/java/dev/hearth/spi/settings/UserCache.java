package dev.hearth.spi.settings;

import java.nio.file.Path;
import java.util.Map;

/** Directory of this user for files that can be deleted at any time. Stateless. */
public final class UserCache {
    private UserCache() {}

    /** The directory that {@code environment} names, or the one in {@code home}; it need not exist. */
    public static Path directory(Map<String, String> environment, Path home) {
        String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
        return (caches.startsWith("/") ? Path.of(caches) : home.resolve(".cache")).resolve("hearth");
    }
}
