package dev.hearth.kernel.internal.boot;

import ch.qos.logback.core.util.StatusPrinter;
import dev.hearth.kernel.internal.logging.DefaultLogging;
import dev.hearth.spi.error.ErrorCode;
import java.io.File;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where the platform is installed. It is read only: many processes and many machines may share it. */
public record Home(Path root) {
    static final String PROPERTY = "hearth.home";
    private static final String CONF_VARIABLE = "HEARTH_CONF_DIR";

    /** The home named by {@code -Dhearth.home}; refuses what is not one. */
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

    /** Jars on the class path of every process. */
    public Path lib() {
        return root.resolve("lib");
    }

    Path bundles() {
        return root.resolve("bundles");
    }

    Path defaultSettings() {
        return conf().resolve("hearth-defaults.conf");
    }

    /** Settings and logging of the installation: {@code conf/}, or where {@code HEARTH_CONF_DIR} says. */
    Path conf() {
        String other = System.getenv().getOrDefault(CONF_VARIABLE, "");
        return other.isBlank()
                ? root.resolve("conf")
                : Path.of(other).toAbsolutePath().normalize();
    }

    /** A file as people know it: {@code conf/x} within the installation, else its path. */
    String label(Path file) {
        return file.startsWith(root) ? root.relativize(file).toString() : file.toString();
    }

    public Roles roles() {
        return new Roles(root.resolve("roles"));
    }

    /** Points logging to {@code conf/logback.xml}, unless the command line points elsewhere. Before the first logger. */
    @SuppressWarnings("deprecation") // its successor is an object that logging makes for itself, out of our reach
    public void configureLogging(PrintStream err) {
        StatusPrinter.setPrintStream(err); // complaints about a configuration; standard output is not ours
        Path file = conf().resolve("logback.xml");
        if (System.getProperty(DefaultLogging.FILE_PROPERTY) == null && Files.isRegularFile(file)) {
            System.setProperty(DefaultLogging.FILE_PROPERTY, file.toUri().toString());
        }
    }
}
