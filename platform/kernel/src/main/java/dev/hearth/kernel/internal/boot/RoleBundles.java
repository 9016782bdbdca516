package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.application.BundlePackages;
import dev.hearth.kernel.internal.application.PackagePattern;
import dev.hearth.kernel.internal.inventory.JarManifest;
import dev.hearth.kernel.internal.inventory.ManifestClauses;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipFile;
import org.osgi.framework.Constants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Selection of the jars in bundles/ whose manifests name a role ({@link RoleClause#HEADER}). Stateless. */
final class RoleBundles {
    private static final Logger LOG = LoggerFactory.getLogger(RoleBundles.class);
    /** Size of the buffer for a manifest at the begin of a jar. */
    private static final int BUFFER_BYTES = 8192;

    private RoleBundles() {}

    /**
     * Bundle that belongs to a role, with the clause of its header that says so. {@code packages} are the packages that
     * it offers to applications, as in its header, or empty.
     */
    record RoleBundle(Path jar, String name, RoleClause clause, String packages) {
        /** Returns what starts the bundle if it starts on demand. */
        List<String> triggers() {
            List<String> triggers = new ArrayList<>(clause.when());
            for (PackagePattern offered : PackagePattern.parse(packages)) {
                triggers.add(OnDemandBundleGroup.PACKAGE + offered);
            }
            return triggers;
        }
    }

    /**
     * Returns the bundles among {@code jars} that belong to {@code role}. A jar that cannot be read, or whose header is
     * invalid, is left out with a warning, so that it cannot prevent other bundles from starting.
     */
    static List<RoleBundle> of(String role, Collection<Path> jars) {
        List<RoleBundle> bundles = new ArrayList<>();
        for (Path jar : jars) {
            try {
                Attributes headers = headers(jar);
                String roles = headers.getValue(RoleClause.HEADER);
                if (roles != null && roles.contains(role)) { // parsing all headers would cost a start more
                    find(role, jar, roles, headers).ifPresent(bundles::add);
                }
            } catch (IOException | IllegalArgumentException failure) {
                LOG.warn("bundle {}: left out: {}", jar, failure.getMessage());
            }
        }
        return bundles;
    }

    /**
     * Returns the roles that the bundles among {@code jars} run, each with its line of help, which may be empty. Leaves
     * out jars that cannot be read and invalid headers; the start of a role warns of them.
     */
    static SortedMap<String, String> mains(Collection<Path> jars) {
        SortedMap<String, String> mains = new TreeMap<>();
        for (Path jar : jars) {
            try {
                String roles = headers(jar).getValue(RoleClause.HEADER);
                for (RoleClause clause : RoleClause.parse(roles == null ? "" : roles)) {
                    if (clause.main()) {
                        clause.roles().forEach(role -> mains.put(role, clause.help()));
                    }
                }
            } catch (IOException | IllegalArgumentException failure) {
                LOG.debug("bundle {}: left out of the list of roles", jar, failure);
            }
        }
        return mains;
    }

    private static Optional<RoleBundle> find(String role, Path jar, String roles, Attributes headers) {
        String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("no " + Constants.BUNDLE_SYMBOLICNAME
                    + " (expected: a bundle, because it has " + RoleClause.HEADER + ")");
        }
        try {
            for (RoleClause clause : RoleClause.parse(roles)) {
                if (clause.roles().contains(role)) {
                    String symbolicName =
                            ManifestClauses.parse(name).get(0).paths().get(0);
                    String packages = headers.getValue(BundlePackages.HEADER);
                    return Optional.of(new RoleBundle(jar, symbolicName, clause, packages == null ? "" : packages));
                }
            }
            return Optional.empty();
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(RoleClause.HEADER + ": " + invalid.getMessage(), invalid);
        }
    }

    /** Reads the manifest from the begin of the jar, where build tools put it; otherwise from its place in the jar. */
    private static Attributes headers(Path jar) throws IOException {
        try (JarInputStream in =
                new JarInputStream(new BufferedInputStream(Files.newInputStream(jar), BUFFER_BYTES), false)) {
            Manifest manifest = in.getManifest();
            if (manifest != null) {
                return manifest.getMainAttributes();
            }
        }
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return JarManifest.mainAttributes(file);
        }
    }
}
