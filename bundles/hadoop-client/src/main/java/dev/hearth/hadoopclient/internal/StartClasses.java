package dev.hearth.hadoopclient.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Classes that a start on YARN needs, loaded for the archive of classes. Those of Hadoop and of Java were noted on a real
 * cluster, in submitter, driver, relay and executor; a name that is gone makes a start slower, and no more. Stateless.
 */
final class StartClasses {
    private static final Logger LOG = LoggerFactory.getLogger(StartClasses.class);
    private static final String LIST = "start-classes.txt";
    /** The line before the names of classes that submitters in cluster mode do not need. */
    private static final String OTHERS = "# of drivers, relays and executors alone";

    private static final String SUFFIX = ".class";

    private StartClasses() {}

    /** The names of the classes of Hadoop and of Java. */
    static List<String> names() throws IOException {
        List<String> names = new ArrayList<>(lines());
        names.remove(OTHERS);
        return names;
    }

    /** Those of them that a submitter in cluster mode needs. */
    static List<String> ofSubmitters() throws IOException {
        List<String> lines = lines();
        int others = lines.indexOf(OTHERS);
        if (others < 0) {
            throw new IOException(LIST + ": no line '" + OTHERS + "' (expected: after the names for submitters)");
        }
        return lines.subList(0, others);
    }

    private static List<String> lines() throws IOException {
        List<String> names = new ArrayList<>();
        try (InputStream in = StartClasses.class.getResourceAsStream(LIST)) {
            if (in == null) {
                throw new IOException(LIST + ": missing (expected: in the bundle)");
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                names.add(line);
            }
        }
        return names;
    }

    /** The names of all classes in the jar of {@code type}; empty if it comes from elsewhere. */
    static List<String> ofJar(Class<?> type) throws IOException {
        List<String> names = new ArrayList<>();
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        Path jar =
                location == null || !location.getProtocol().equals("file") ? Path.of("") : Path.of(location.getPath());
        if (!Files.isRegularFile(jar)) {
            return names;
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(SUFFIX) && !name.startsWith("META-INF/") && name.contains("/"))
                    .forEach(name -> names.add(
                            name.substring(0, name.length() - SUFFIX.length()).replace('/', '.')));
        }
        return names;
    }

    /** Loads and links classes; Java archives no others. Returns how many were found. */
    static int load(List<String> names, ClassLoader loader) {
        int found = 0;
        for (String name : names) {
            try {
                Class<?> type = Class.forName(name, false, loader);
                int constructors = type.getDeclaredConstructors().length; // asking for them links the class
                LOG.trace("class {}: {} constructors", name, constructors);
                found++;
            } catch (ClassNotFoundException | LinkageError | TypeNotPresentException absent) {
                LOG.debug("class {}: not archived", name, absent);
            }
        }
        return found;
    }
}
