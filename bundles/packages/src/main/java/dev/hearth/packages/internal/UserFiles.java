package dev.hearth.packages.internal;

import dev.hearth.spi.settings.UserCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places of the user's files on this machine: settings of Maven, the local repository, and the cache of closures.
 * Immutable.
 *
 * @param home the user's home directory
 * @param directory the working directory of the process
 * @param environment the environment variables of the process
 */
record UserFiles(Path home, Path directory, Map<String, String> environment) {
    private static final String MAVEN = ".m2";

    UserFiles {
        environment = Map.copyOf(environment);
    }

    static UserFiles ofProcess() {
        return new UserFiles(
                Path.of(System.getProperty("user.home")), Path.of("").toAbsolutePath(), System.getenv());
    }

    /** The user's settings of Maven, which may be absent. */
    Path settings() {
        return home.resolve(MAVEN).resolve("settings.xml");
    }

    /** The key file for encrypted passwords in the settings, which may be absent. */
    Path securitySettings() {
        return home.resolve(MAVEN).resolve("settings-security.xml");
    }

    /** The settings of the installation of Maven that the environment names; empty if there is none. */
    Optional<Path> globalSettings() {
        for (String name : List.of("MAVEN_HOME", "M2_HOME")) {
            String value = environment.getOrDefault(name, "");
            Path settings = Path.of(value, "conf", "settings.xml");
            if (!value.isBlank() && Files.isRegularFile(settings)) {
                return Optional.of(settings);
            }
        }
        return Optional.empty();
    }

    /** All files that decide where packages come from. */
    List<Path> settingsFiles() {
        List<Path> files = new ArrayList<>(List.of(settings(), securitySettings()));
        globalSettings().ifPresent(files::add);
        return files;
    }

    /** The local repository of Maven, unless settings name another one. */
    Path repository() {
        return home.resolve(MAVEN).resolve("repository");
    }

    /** The directory that {@code hearth.jars.ivy} names; empty if it names none. */
    Optional<Path> given(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        String plain = text.startsWith("~/") ? home + text.substring(1) : text;
        return Optional.of(directory.resolve(plain).normalize());
    }

    /** Directories with packages that builds have published for this user; {@code given} as for {@link #closures}. */
    List<Path> published(Optional<Path> given) {
        List<Path> roots = new ArrayList<>();
        given.ifPresent(directory -> roots.add(directory.resolve("local")));
        String[] names = home.toFile().list((directory, name) -> name.startsWith(".ivy2"));
        for (String name : names == null ? List.<String>of() : Arrays.asList(names)) {
            roots.add(home.resolve(name).resolve("local"));
        }
        return roots.stream().filter(Files::isDirectory).sorted().toList();
    }

    /** The directory of closures; {@code given} is the directory for downloaded files, if there is one. */
    Path closures(Optional<Path> given) {
        if (given.isPresent()) {
            return given.get().resolve(".closures");
        }
        return UserCache.directory(environment, home).resolve("packages");
    }
}
