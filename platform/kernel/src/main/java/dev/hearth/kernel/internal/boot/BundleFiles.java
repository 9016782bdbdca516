package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.boot.RoleBundles.RoleBundle;
import dev.hearth.kernel.internal.inventory.JarNames;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Jars of the bundles of one process. They are those that the role file names, and those in bundles/ whose manifests
 * name the role ({@link RoleClause}). {@code jars} contains the jars of the bundles that start with the process, those
 * of the role file first. {@code reserves} contains the bundles that start on demand. Immutable.
 */
record BundleFiles(List<Path> jars, List<Reserve> reserves) {
    private static final String SUFFIX = ".jar";

    BundleFiles {
        jars = List.copyOf(jars);
        reserves = List.copyOf(reserves);
    }

    /** On-demand bundle group and its jars. {@code problems} are the jars that are missing or ambiguous. */
    record Reserve(OnDemandBundleGroup group, List<Path> jars, List<String> problems) {
        Reserve {
            jars = List.copyOf(jars);
            problems = List.copyOf(problems);
        }
    }

    /**
     * Finds the jars for a process with these arguments. If jars that start with the process are missing or ambiguous,
     * fails with one line for each of them. Problems of on-demand bundles are reported when these are needed.
     */
    static BundleFiles of(Role role, List<String> arguments, Path directory) {
        return of(role, arguments, directory, Optional.empty());
    }

    /** As above, where jars in {@code sent} take the place of those of the same bundles in {@code directory}. */
    static BundleFiles of(Role role, List<String> arguments, Path directory, Optional<Path> sent) {
        SortedMap<String, Path> present = list(directory);
        if (sent.isPresent()) {
            for (Map.Entry<String, Path> jar : list(sent.get()).entrySet()) {
                String bundle = JarNames.bundle(jar.getKey());
                present.keySet().removeIf(other -> JarNames.matches(other, bundle));
                present.put(jar.getKey(), jar.getValue());
            }
        }
        Search search = new Search(role, directory, present, new ArrayList<>());
        Set<Path> jars = new LinkedHashSet<>(search.findAll(role.bundles(), search.problems));
        List<Reserve> reserves = new ArrayList<>();
        for (OnDemandBundleGroup group : role.reserves()) {
            List<String> problems = new ArrayList<>();
            reserves.add(new Reserve(group, search.findAll(group.bundles(), problems), problems));
        }
        for (RoleBundle bundle : search.withoutDuplicates(RoleBundles.of(role.name(), search.unnamed()))) {
            RoleClause clause = bundle.clause();
            if (clause.isUnconditional() || clause.isRequestedBy(arguments)) {
                jars.addAll(search.withNeeds(bundle, search.problems));
            } else if (!clause.when().isEmpty()) {
                OnDemandBundleGroup group = new OnDemandBundleGroup(bundle.name(), clause.needs(), bundle.triggers());
                List<String> problems = new ArrayList<>();
                reserves.add(new Reserve(group, search.withNeeds(bundle, problems), problems));
            }
        }
        search.requireNoProblems();
        return new BundleFiles(List.copyOf(jars), reserves);
    }

    /**
     * Finds the jars that processes of the role may start, whatever their arguments and settings. Leaves out on-demand
     * bundles that are missing, as processes do until they need one.
     */
    static Set<Path> ofAll(Role role, Path directory) {
        Search search = new Search(role, directory, list(directory), new ArrayList<>());
        Set<Path> jars = new LinkedHashSet<>(search.findAll(role.bundles(), search.problems));
        List<String> reported = new ArrayList<>(); // by the process that needs one of these bundles
        for (OnDemandBundleGroup group : role.reserves()) {
            jars.addAll(search.findAll(group.bundles(), reported));
        }
        for (RoleBundle bundle : search.withoutDuplicates(RoleBundles.of(role.name(), search.unnamed()))) {
            boolean starts = bundle.clause().isUnconditional();
            jars.addAll(search.withNeeds(bundle, starts ? search.problems : reported));
        }
        search.requireNoProblems();
        return jars;
    }

    private static SortedMap<String, Path> list(Path directory) {
        SortedMap<String, Path> jars = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                jars.put(file.getFileName().toString(), file);
            }
        } catch (IOException e) {
            throw ErrorCode.START_FAILED.failure(
                    "bundles: cannot list " + directory + ": " + e + " (expected: a directory of bundles)", e);
        }
        return jars;
    }

    /**
     * Look-up of jars by the names of bundles, which are without versions; collects the problems. It uses loops instead
     * of streams, because each first use of a lambda costs a start a third of a millisecond.
     */
    private record Search(Role role, Path directory, SortedMap<String, Path> present, List<String> problems) {
        /** Returns the jars that the role file does not name. */
        List<Path> unnamed() {
            List<String> names = new ArrayList<>(role.bundles());
            for (OnDemandBundleGroup group : role.reserves()) {
                names.addAll(group.bundles());
            }
            List<Path> others = new ArrayList<>();
            for (Map.Entry<String, Path> jar : present.entrySet()) {
                if (!matchesAny(jar.getKey(), names)) {
                    others.add(jar.getValue());
                }
            }
            return others;
        }

        /** Returns the first bundle of each symbolic name; others are problems. */
        List<RoleBundle> withoutDuplicates(List<RoleBundle> bundles) {
            Map<String, RoleBundle> byName = new TreeMap<>();
            List<RoleBundle> first = new ArrayList<>();
            for (RoleBundle bundle : bundles) {
                RoleBundle other = byName.putIfAbsent(bundle.name(), bundle);
                if (other == null) {
                    first.add(bundle);
                } else {
                    problems.add("bundle " + bundle.name() + " of role " + role.name() + ": "
                            + List.of(other.jar(), bundle.jar()) + " (expected: one jar); remove the other");
                }
            }
            return first;
        }

        void requireNoProblems() {
            if (!problems.isEmpty()) {
                throw ErrorCode.START_FAILED.failure(String.join("\n  ", problems));
            }
        }

        List<Path> withNeeds(RoleBundle bundle, List<String> missing) {
            List<Path> jars = new ArrayList<>();
            for (String need : bundle.clause().needs()) {
                find(need, "bundle " + need + ", which " + bundle.name() + " needs", jars, missing);
            }
            jars.add(bundle.jar());
            return jars;
        }

        List<Path> findAll(List<String> bundles, List<String> missing) {
            List<Path> jars = new ArrayList<>();
            for (String bundle : bundles) {
                find(bundle, "bundle " + bundle + " of role " + role.name(), jars, missing);
            }
            return jars;
        }

        private void find(String bundle, String subject, List<Path> found, List<String> missing) {
            List<String> names = new ArrayList<>();
            for (String jar : present.keySet()) {
                if (JarNames.matches(jar, bundle)) {
                    names.add(jar);
                }
            }
            if (names.size() == 1) {
                found.add(present.get(names.get(0)));
            } else {
                missing.add(subject + ": " + (names.isEmpty() ? "missing" : names.toString()) + " (expected: one "
                        + bundle + "-<version>.jar in " + directory + ")");
            }
        }

        private static boolean matchesAny(String jar, List<String> bundles) {
            for (String bundle : bundles) {
                if (JarNames.matches(jar, bundle)) {
                    return true;
                }
            }
            return false;
        }
    }
}
