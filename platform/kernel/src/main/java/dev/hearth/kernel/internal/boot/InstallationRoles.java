package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.role.RoleOptionTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Options of the roles that bundles declare ({@link RoleOptionTable}), for the help and the completion of bin/. The
 * build has merged those of the distribution in lib/roles.tsv; this class finds those of added bundles. Stateless.
 */
public final class InstallationRoles {
    private static final String SUFFIX = ".jar";

    private InstallationRoles() {}

    /** Returns the lines of all bundles in {@code directories}, without comments. Unreadable jars are left out. */
    public static List<String> lines(List<Path> directories) {
        List<String> lines = new ArrayList<>();
        for (Path directory : directories) {
            String[] names = directory.toFile().list();
            if (names == null) { // there is no such directory
                continue;
            }
            Arrays.sort(names);
            for (String name : names) {
                if (name.endsWith(SUFFIX)) {
                    add(directory.resolve(name), lines);
                }
            }
        }
        return lines;
    }

    private static void add(Path jar, List<String> lines) {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            ZipEntry entry = file.getEntry(RoleOptionTable.FILE);
            if (entry != null) {
                try (InputStream in = file.getInputStream(entry)) {
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .forEach(lines::add);
                }
            }
        } catch (IOException unreadable) {
            // the deployer reports such a file where it is used; help without its roles is better than none
        }
    }
}
