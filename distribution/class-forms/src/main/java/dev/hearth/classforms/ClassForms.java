package dev.hearth.classforms;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Program that rewrites the jars in lib/ and bundles/ of installations. Lambdas, method references and the methods of
 * records are made by Java at their first use, in each process; as classes and methods in the jars they are part of
 * the archive of classes (ADR 0079). Jars become larger, and archives of them smaller. The same jars give the same bytes.
 */
public final class ClassForms {
    private static final List<String> DIRECTORIES = List.of("lib", "bundles");

    private static final String WITHOUT = "--without";

    private ClassForms() {}

    /** The arguments are directories of installations, and {@code --without NAME} for a jar whose classes stay as they are. */
    public static void main(String[] arguments) throws IOException {
        run(List.of(arguments));
    }

    /** Returns the number of call sites that were replaced. */
    static int run(List<String> arguments) throws IOException {
        List<String> installations = new ArrayList<>();
        List<String> without = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals(WITHOUT) && i + 1 < arguments.size()) {
                i++;
                without.add(arguments.get(i));
            } else {
                installations.add(arguments.get(i));
            }
        }
        int sites = 0;
        for (String installation : installations) {
            List<Path> jars = jars(Path.of(installation));
            for (Path jar : jars) {
                JarRewriting rewriting = JarRewriting.of(jar);
                if (isAmong(without, jar)) {
                    rewriting.store();
                } else {
                    sites += rewriting.rewrite();
                }
            }
        }
        return sites;
    }

    private static List<Path> jars(Path installation) throws IOException {
        TreeSet<Path> jars = new TreeSet<>();
        for (String directory : DIRECTORIES) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(installation.resolve(directory), "*.jar")) {
                files.forEach(jars::add);
            }
        }
        if (jars.isEmpty()) {
            throw new IOException(installation + ": no jars in " + DIRECTORIES + " (expected: an installation)");
        }
        return new ArrayList<>(jars);
    }

    private static boolean isAmong(List<String> names, Path jar) {
        return names.stream().anyMatch(name -> jar.getFileName().toString().startsWith(name + "-"));
    }
}
