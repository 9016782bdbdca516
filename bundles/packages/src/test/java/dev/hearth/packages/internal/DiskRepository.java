package dev.hearth.packages.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/** Maven repository in a directory, with the packages that a test puts into it. */
final class DiskRepository {
    private final Path root;

    DiskRepository(Path root) {
        this.root = root;
    }

    Path root() {
        return root;
    }

    String url() {
        String url = root.toUri().toString(); // of a directory that exists, it ends with a slash
        return url.endsWith("/") ? url : url + "/";
    }

    /** Dependency of a package: {@code group:name:version}, and further elements of XML. */
    record Needs(String coordinate, String more) {
        static Needs on(String coordinate) {
            return new Needs(coordinate, "");
        }

        private String xml() {
            String[] parts = coordinate.split(":", -1);
            return "<dependency><groupId>" + parts[0] + "</groupId><artifactId>" + parts[1] + "</artifactId><version>"
                    + parts[2] + "</version>" + more + "</dependency>";
        }
    }

    /** Adds a package {@code group:name:version} with its description, a jar and their checksums. */
    DiskRepository add(String coordinate, Needs... needs) throws IOException {
        addDescription(coordinate, needs);
        addFile(coordinate, ".jar", jar(coordinate));
        return this;
    }

    /** Adds the description of a package alone. */
    void addDescription(String coordinate, Needs... needs) throws IOException {
        String[] parts = coordinate.split(":", -1);
        StringBuilder pom = new StringBuilder("<project><modelVersion>4.0.0</modelVersion><groupId>" + parts[0]
                + "</groupId><artifactId>" + parts[1] + "</artifactId><version>" + parts[2]
                + "</version><dependencies>");
        for (Needs one : needs) {
            pom.append(one.xml());
        }
        addFile(
                coordinate,
                ".pom",
                pom.append("</dependencies></project>").toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** Adds a file of a package, whose name ends with {@code suffix}, and its checksum. */
    Path addFile(String coordinate, String suffix, byte[] content) throws IOException {
        Path file = file(coordinate, suffix);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        String checksum = HexFormat.of().formatHex(Closure.digest(file, "SHA-1"));
        Files.writeString(file.resolveSibling(file.getFileName() + ".sha1"), checksum);
        return file;
    }

    /** Path of a file of a package. */
    Path file(String coordinate, String suffix) {
        String[] parts = coordinate.split(":", -1);
        return root.resolve(parts[0].replace('.', '/'))
                .resolve(parts[1])
                .resolve(parts[2])
                .resolve(parts[1] + "-" + parts[2] + suffix);
    }

    /** A jar with one entry, which is named like the package. */
    static byte[] jar(String coordinate) throws IOException {
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        try (OutputStream out = bytes;
                JarOutputStream jar = new JarOutputStream(out)) {
            jar.putNextEntry(new ZipEntry(coordinate.replace(':', '-') + ".txt"));
            jar.closeEntry();
        }
        return bytes.toByteArray();
    }

    /** Names of the jars in a list of paths. */
    static List<String> names(List<Path> jars) {
        List<String> names = new ArrayList<>();
        jars.forEach(jar -> names.add(jar.getFileName().toString()));
        return names;
    }
}
