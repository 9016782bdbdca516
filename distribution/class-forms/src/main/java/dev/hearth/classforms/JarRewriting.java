package dev.hearth.classforms;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Jar whose classes are rewritten, and whose entries are stored without compression. Entries keep their order and times,
 * the file keeps its time. Classes of signed jars, and those for other versions of Java, stay as they are. Used once, by
 * one thread.
 */
final class JarRewriting {
    private static final String CLASS = ".class";
    private static final String META = "META-INF/";
    private static final String MODULE = "module-info.class";

    private final Path jar;
    private final Map<String, Content> entries = new LinkedHashMap<>();
    private boolean signed;

    /** Entry with its bytes. */
    private static final class Content {
        private final ZipEntry entry;
        private final byte[] bytes;

        Content(ZipEntry entry, byte[] bytes) {
            this.entry = entry;
            this.bytes = bytes;
        }

        ZipEntry entry() {
            return entry;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    private JarRewriting(Path jar) {
        this.jar = jar;
    }

    static JarRewriting of(Path jar) throws IOException {
        JarRewriting read = new JarRewriting(jar);
        try (ZipFile file = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> all = file.entries();
            while (all.hasMoreElements()) {
                ZipEntry entry = all.nextElement();
                try (InputStream in = file.getInputStream(entry)) {
                    read.entries.put(entry.getName(), new Content(entry, in.readAllBytes()));
                }
                read.signed |= entry.getName().matches("META-INF/[^/]+\\.SF");
            }
        }
        return read;
    }

    /** Writes the file with its classes as they are. */
    void store() throws IOException {
        write(Map.of());
    }

    /** Rewrites the classes and writes the file. Returns the number of call sites that were replaced. */
    int rewrite() throws IOException {
        Map<String, ClassRewriting> classes = signed ? Map.of() : classes();
        int sites = 0;
        for (ClassRewriting rewriting : classes.values()) {
            sites += rewriting.rewrite();
        }
        for (ClassRewriting rewriting : classes.values()) {
            ClassRewriting host = classes.get(rewriting.host());
            if (host != null) {
                host.addMembers(rewriting.functions().keySet());
            } else if (!rewriting.functions().isEmpty()) {
                throw new IOException(jar + ": class " + rewriting.name() + " belongs to the nest of "
                        + rewriting.host() + ", which is not there (expected: in the same jar)");
            }
        }
        write(classes);
        return sites;
    }

    private Map<String, ClassRewriting> classes() {
        Map<String, ClassRewriting> classes = new LinkedHashMap<>();
        entries.forEach((name, content) -> {
            if (name.endsWith(CLASS) && !name.startsWith(META) && !name.equals(MODULE)) {
                ClassRewriting rewriting = ClassRewriting.of(content.bytes());
                classes.put(rewriting.name(), rewriting);
            }
        });
        return classes;
    }

    private void write(Map<String, ClassRewriting> classes) throws IOException {
        FileTime time = Files.getLastModifiedTime(jar);
        Path incoming = jar.resolveSibling(jar.getFileName() + ".new");
        List<Content> functions = new ArrayList<>();
        try (ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(incoming)))) {
            for (Content content : entries.values()) {
                String name = content.entry().getName();
                ClassRewriting rewriting = name.endsWith(CLASS) && !name.startsWith(META)
                        ? classes.get(name.substring(0, name.length() - CLASS.length()))
                        : null;
                boolean isChanged = rewriting != null && rewriting.isChanged();
                put(out, content.entry(), name, isChanged ? rewriting.bytes() : content.bytes());
                if (isChanged) {
                    rewriting
                            .functions()
                            .forEach((function, bytes) ->
                                    functions.add(new Content(like(content.entry(), function + CLASS), bytes)));
                }
            }
            for (Content function : functions) {
                put(out, function.entry(), function.entry().getName(), function.bytes());
            }
        }
        Files.move(incoming, jar, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(jar, time);
    }

    private static ZipEntry like(ZipEntry other, String name) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(other.getTimeLocal());
        return entry;
    }

    /** Archives of distributions compress jars better from outside, and a start needs not inflate them. */
    private static void put(ZipOutputStream out, ZipEntry original, String name, byte[] bytes) throws IOException {
        ZipEntry entry = like(original, name);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCompressedSize(bytes.length);
        entry.setCrc(sum.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
