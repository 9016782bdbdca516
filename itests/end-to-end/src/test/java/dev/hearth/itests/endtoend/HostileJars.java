package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes files that an attacker, or an accident, may leave in deploy/, with the text that the log has of each. */
final class HostileJars {
    private static final int IMPORTS = 20_000;
    private static final long GIBIBYTE = 1L << 30;
    private static final int MEBIBYTE = 1 << 20;
    private static final int BOMB_MEBIBYTES = 200;

    private final Path scratch;
    private final Path deploy;
    private final Map<String, String> reasons = new LinkedHashMap<>();

    /** Jars are built in {@code scratch}, so that they arrive in {@code deploy} whole. */
    HostileJars(Path scratch, Path deploy) {
        this.scratch = scratch;
        this.deploy = deploy;
    }

    /** Text in the log about each file, by name. */
    Map<String, String> reasons() {
        return reasons;
    }

    /** Puts all of them into deploy/. */
    void drop() throws Exception {
        dropFilesThatAreNoBundles();
        dropBundlesThatCannotRun();
        dropLargeOnes();
        dropSpecialFiles();
    }

    /** A bundle that runs, though it has no code. */
    static void bundle(Path jar, String name) throws IOException {
        write(jar, manifest(name, "1.0.0"), Map.of());
    }

    private void dropFilesThatAreNoBundles() throws IOException {
        Path plain = scratch.resolve("plain");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(plain))) {
            out.putNextEntry(new ZipEntry("file.txt"));
        }
        drop(plain, "no-manifest.jar", "a jar, but no bundle");
        drop(Files.writeString(plain, "not a zip"), "no-zip.jar", "no complete jar: zip END header not found");
        drop(Files.write(plain, new byte[0]), "empty.jar", "no complete jar: zip file is empty");
        write(plain, manifest("climbing", "1.0.0"), Map.of("../../../climbed", new byte[1]));
        drop(plain, "climbing.jar", "entry ../../../climbed: leads out of the jar");
    }

    private void dropBundlesThatCannotRun() throws IOException {
        drop("native", "Bundle-NativeCode: none.so;osname=Win32;processor=x86", "lacks osgi.native");
        drop("activator", "Bundle-Activator: no.such.Activator", "Not found: no.such.Activator");
        drop("fragment", "Fragment-Host: system.bundle;extension:=framework", "a fragment of system.bundle");
        String imports = IntStream.range(0, IMPORTS)
                .mapToObj(number -> "no.such.p" + number)
                .collect(Collectors.joining(",\n "));
        drop("imports", "Import-Package: " + imports, "; and " + (IMPORTS - 10) + " more requirements");
        Path jar = scratch.resolve("bundle");
        write(jar, manifest("hearth-kernel", "99.0.0"), Map.of());
        drop(jar, "shadow.jar", "hearth-kernel is part of the kernel");
        write(jar, manifest("version", "99999999999999999999.0.0"), Map.of());
        drop(jar, "version.jar", "Bundle-Version: ");
        write(jar, manifest("classpath", "1.0.0") + "Bundle-ClassPath: ../../../etc,/etc/passwd\n", Map.of());
        drop(jar, "classpath.jar", "classpath 1.0.0 (classpath.jar) runs"); // those entries do not exist in the jar
    }

    private void dropLargeOnes() throws IOException {
        Path jar = scratch.resolve("large");
        write(jar, manifest("sparse", "1.0.0"), Map.of());
        try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "rw")) {
            file.setLength(3 * GIBIBYTE);
        }
        drop(jar, "sparse.jar", "has " + 3 * GIBIBYTE + " bytes (expected: at most ");
        byte[] line = ("Header: " + "x".repeat(60) + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] lines = new byte[MEBIBYTE / line.length * line.length];
        for (int at = 0; at < lines.length; at += line.length) {
            System.arraycopy(line, 0, lines, at, line.length);
        }
        try (ZipOutputStream out = zip(jar)) {
            out.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            out.write(manifest("bomb", "1.0.0").getBytes(StandardCharsets.UTF_8));
            repeat(lines, BOMB_MEBIBYTES, out);
        }
        drop(jar, "bomb.jar", "its manifest has ");
        try (ZipOutputStream out = zip(jar)) {
            out.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            out.write((manifest("inner", "1.0.0") + "Bundle-ClassPath: inner.jar\n").getBytes(StandardCharsets.UTF_8));
            out.putNextEntry(new ZipEntry("inner.jar"));
            repeat(new byte[MEBIBYTE], (int) (GIBIBYTE / MEBIBYTE), out);
        }
        drop(jar, "inner.jar", "its entries inflate to more than ");
    }

    private void dropSpecialFiles() throws Exception {
        Files.createSymbolicLink(deploy.resolve("zero.jar"), Path.of("/dev/zero"));
        reasons.put("zero.jar", "a device (expected: a regular file");
        Files.createSymbolicLink(deploy.resolve("dangling.jar"), Path.of("/no/such/file"));
        reasons.put("dangling.jar", "a link to a file that does not exist");
        Files.createDirectory(deploy.resolve("directory.jar"));
        reasons.put("directory.jar", "a directory (expected: a regular file");
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path place = Files.createTempDirectory("s").resolve("s"); // paths of sockets have about 100 bytes
            socket.bind(UnixDomainSocketAddress.of(place));
            Files.move(place, deploy.resolve("socket.jar"));
            Files.delete(place.getParent());
        }
        reasons.put("socket.jar", "a socket (expected: a regular file");
        dropFifo("fifo.jar");
    }

    /** Makes a FIFO, whose open waits for a writer. */
    void dropFifo(String name) throws IOException, InterruptedException {
        Process making = new ProcessBuilder("mkfifo", deploy.resolve(name).toString()).start();
        if (making.waitFor() != 0) {
            throw new AssertionError("mkfifo: exit status " + making.exitValue());
        }
        reasons.put(name, "a FIFO (expected: a regular file");
    }

    private void drop(String name, String header, String reason) throws IOException {
        Path jar = scratch.resolve("bundle");
        write(jar, manifest(name, "1.0.0") + header + "\n", Map.of());
        drop(jar, name + ".jar", reason);
    }

    private void drop(Path jar, String name, String reason) throws IOException {
        Files.move(jar, deploy.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        reasons.put(name, reason);
    }

    private static String manifest(String name, String version) {
        return "Manifest-Version: 1.0\nBundle-ManifestVersion: 2\nBundle-SymbolicName: " + name + "\nBundle-Version: "
                + version + "\n";
    }

    private static void write(Path jar, String manifest, Map<String, byte[]> entries) throws IOException {
        try (ZipOutputStream out = zip(jar)) {
            out.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            out.write(manifest.getBytes(StandardCharsets.UTF_8));
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
            }
        }
    }

    private static ZipOutputStream zip(Path jar) throws IOException {
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar));
        out.setLevel(Deflater.BEST_SPEED);
        return out;
    }

    private static void repeat(byte[] bytes, int times, OutputStream out) throws IOException {
        for (int i = 0; i <= times; i++) {
            out.write(bytes);
        }
    }
}
