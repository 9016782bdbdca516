package dev.hearth.kernel.internal.boot;

import ch.qos.logback.core.util.StatusPrinter;
import dev.hearth.kernel.internal.logging.DefaultLogging;
import dev.hearth.spi.error.ErrorCode;
import java.io.File;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Installation directory of the platform. Hearth only reads it, so processes and machines may share it; {@link
 * InstallationArchives} adds {@code archives/} on request. Immutable.
 */
public record Home(Path root) {
    static final String PROPERTY = "hearth.home";
    private static final String CONF_VARIABLE = "HEARTH_CONF_DIR";

    /** Returns the installation named by {@code -Dhearth.home}. Fails if the property does not name an installation. */
    public static Home locate() {
        String text = System.getProperty(PROPERTY, "");
        String rule = " (expected: the directory that holds lib/, bundles/ and roles/); start through bin/hearth";
        if (text.isEmpty()) {
            throw ErrorCode.START_FAILED.failure(PROPERTY + ": not set" + rule);
        }
        if (text.contains(File.pathSeparator)) {
            throw ErrorCode.START_FAILED.failure(PROPERTY + ": '" + text + "' (expected: a path without '"
                    + File.pathSeparator + "', which a class path cannot hold); move the installation");
        }
        try {
            Home home = new Home(Path.of(text).toAbsolutePath().normalize());
            if (Files.isDirectory(home.lib()) && Files.isDirectory(home.bundles())) {
                return home;
            }
        } catch (InvalidPathException e) {
            throw ErrorCode.START_FAILED.failure(PROPERTY + ": '" + text + "'" + rule, e);
        }
        throw ErrorCode.START_FAILED.failure(PROPERTY + ": '" + text + "'" + rule);
    }

    /** Returns the directory of the jars on the class path of every process. */
    public Path lib() {
        return root.resolve("lib");
    }

    Path bundles() {
        return root.resolve("bundles");
    }

    Path defaultSettings() {
        return conf().resolve("hearth-defaults.conf");
    }

    /**
     * Returns the directory with settings and logging configuration: {@code HEARTH_CONF_DIR} if set, otherwise {@code
     * conf/}.
     */
    Path conf() {
        String other = System.getenv().getOrDefault(CONF_VARIABLE, "");
        return other.isBlank()
                ? root.resolve("conf")
                : Path.of(other).toAbsolutePath().normalize();
    }

    /**
     * Returns the name of a file for people: relative, such as {@code conf/x}, for a file in the installation,
     * otherwise its whole path.
     */
    String label(Path file) {
        return file.startsWith(root) ? root.relativize(file).toString() : file.toString();
    }

    public Roles roles() {
        return new Roles(
                root.resolve("roles"),
                lib().resolve("role-defaults.properties"),
                List.of(bundles(), root.resolve("deploy")),
                new BundleHints(lib()));
    }

    /**
     * Selects {@code conf/logback.xml}, unless the command line selects another file. Call before the first logger is
     * created.
     */
    @SuppressWarnings("deprecation") // the suggested replacement is an object that logback creates internally
    public void configureLogging(PrintStream err) {
        // reports errors in a logging configuration; standard output belongs to the role
        StatusPrinter.setPrintStream(err);
        Path file = conf().resolve("logback.xml");
        if (System.getProperty(DefaultLogging.FILE_PROPERTY) == null && Files.isRegularFile(file)) {
            System.setProperty(DefaultLogging.FILE_PROPERTY, file.toUri().toString());
        }
    }
}
