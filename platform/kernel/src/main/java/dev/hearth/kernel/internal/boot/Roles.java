package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SpellingSuggestion;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Role files of an installation, {@code roles/<name>.properties}. The keys are {@code bundles}, {@code jvm}, {@code
 * arguments}, {@code deploy} and {@code orders}. {@code reserve.<name>} adds bundles that start on demand ({@link
 * OnDemandBundleGroup}). A role file names bundles of the platform only; other bundles name their roles ({@link
 * RoleClause}). A role that a bundle in {@code bundles} runs needs no file: then {@code defaults} is its role file.
 * {@code hints} names the bundle that runs a role, if it is known.
 */
public record Roles(Path directory, Path defaults, List<Path> bundles, BundleHints hints) {
    /** Role that the kernel itself implements, so that it needs no bundle. */
    private static final String OF_KERNEL = ServeRole.NAME;

    private static final String SUFFIX = ".properties";
    private static final String ARGUMENTS = "arguments";
    private static final String OWN = "own";
    private static final String DEPLOY = "deploy";
    private static final String ORDERS = "orders";
    private static final String RESERVE = "reserve.";
    private static final String WHEN = ".when";

    boolean has(String name) {
        return names().contains(name);
    }

    public Roles {
        bundles = List.copyOf(bundles);
    }

    /**
     * Reads the file of a role, or the default one. Fails with a list of the known roles if there is neither a file nor
     * a bundle that runs the role.
     */
    public Role read(String name) {
        SortedSet<String> names = names();
        Path file = directory.resolve(name + SUFFIX);
        if (!names.contains(name)) {
            SortedMap<String, String> mains = RoleBundles.mains(jars());
            if (!mains.containsKey(name)) {
                names.addAll(mains.keySet());
                String advice = hints.ofRole(name)
                        .map(bundle -> "; put " + bundle + " into bundles/ or deploy/")
                        .orElse("");
                if (advice.isEmpty()) {
                    advice = SpellingSuggestion.nearest(name, names)
                            .map(nearest -> "; did you mean " + nearest + "?")
                            .orElse("");
                }
                throw ErrorCode.BAD_ARGUMENT.failure("role: '" + name + "' (expected: one of " + names + ")" + advice);
            }
            file = defaults;
        }
        return read(name, file);
    }

    /** Returns the file that {@link #read} reads for a role which this installation can run. */
    Path file(String name) {
        return has(name) ? directory.resolve(name + SUFFIX) : defaults;
    }

    /** Returns the roles that this installation can run, each with a line about it. */
    SortedMap<String, String> available() {
        SortedMap<String, String> available = RoleBundles.mains(jars());
        for (String name : names()) {
            if (name.equals(OF_KERNEL) || available.containsKey(name)) {
                available.put(name, firstComment(directory.resolve(name + SUFFIX)));
            }
        }
        return available;
    }

    /** Prints the roles that this installation can run, one per line. */
    public void printAvailable(PrintStream out) {
        available().forEach((name, help) -> out.printf("  %-14s %s%n", name, help));
    }

    private static String firstComment(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("#"))
                    .findFirst()
                    .map(line -> line.substring(1).strip())
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "its role file cannot be read: " + e;
        }
    }

    private List<Path> jars() {
        List<Path> jars = new ArrayList<>();
        for (Path each : bundles) {
            if (Files.isDirectory(each)) { // deploy/ may be missing
                try (DirectoryStream<Path> files = Files.newDirectoryStream(each, "*.jar")) {
                    for (Path file : files) {
                        if (Files.isRegularFile(file)) {
                            jars.add(file);
                        }
                    }
                } catch (IOException e) {
                    throw ErrorCode.START_FAILED.failure(
                            "roles: cannot list " + each + ": " + e + " (expected: a directory of bundles)", e);
                }
            }
        }
        return jars;
    }

    private static Role read(String name, Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw ErrorCode.START_FAILED.failure("role file " + file + ": " + e + " (expected: a properties file)", e);
        }
        List<String> bundles = words(properties.getProperty("bundles", ""));
        if (bundles.isEmpty()) {
            throw ErrorCode.START_FAILED.failure("role file " + file + ": no bundles (expected: bundles=<names>)");
        }
        return new Role(
                name,
                bundles,
                reserves(file, properties),
                words(properties.getProperty("jvm", "")),
                ownArguments(file, properties),
                flag(DEPLOY, file, properties),
                flag(ORDERS, file, properties));
    }

    private static List<OnDemandBundleGroup> reserves(Path file, Properties properties) {
        List<OnDemandBundleGroup> reserves = new ArrayList<>();
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (key.startsWith(RESERVE) && !key.endsWith(WHEN)) {
                OnDemandBundleGroup reserve = new OnDemandBundleGroup(
                        key.substring(RESERVE.length()),
                        words(properties.getProperty(key)),
                        words(properties.getProperty(key + WHEN, "")));
                if (reserve.bundles().isEmpty() || reserve.triggers().isEmpty()) {
                    throw ErrorCode.START_FAILED.failure(
                            "role file " + file + ": " + key + ": the group names no bundles, or no settings that"
                                    + " load it (expected: " + key + "=<names> and " + key + WHEN + "=<settings>)");
                }
                reserves.add(reserve);
            }
        }
        return reserves;
    }

    private static boolean flag(String key, Path file, Properties properties) {
        String text = properties.getProperty(key, "false").strip();
        if (!text.equals("true") && !text.equals("false")) {
            throw ErrorCode.START_FAILED.failure(
                    "role file " + file + ": " + key + "=" + text + " (expected: true or false)");
        }
        return text.equals("true");
    }

    private static boolean ownArguments(Path file, Properties properties) {
        String text = properties.getProperty(ARGUMENTS, "").strip();
        if (!text.isEmpty() && !text.equals(OWN)) {
            throw ErrorCode.START_FAILED.failure("role file " + file + ": " + ARGUMENTS + "=" + text + " (expected: "
                    + ARGUMENTS + "=" + OWN + ", or no such line)");
        }
        return text.equals(OWN);
    }

    private SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                names.add(name.substring(0, name.length() - SUFFIX.length()));
            }
        } catch (IOException e) {
            throw ErrorCode.START_FAILED.failure(
                    "roles: cannot list " + directory + ": " + e + " (expected: a directory of role files)", e);
        }
        return names;
    }

    private static List<String> words(String text) {
        String trimmed = text.strip();
        return trimmed.isEmpty() ? List.of() : List.of(trimmed.split("\\s+"));
    }
}
