package dev.hearth.classforms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassFormsTest {
    @TempDir
    Path home;

    @Test
    void givesTheResultsOfTheOriginal() throws Exception {
        Path jar = jar("bundles/program.jar", false);
        List<?> original = run(jar);
        ClassForms.run(List.of(home.toString()));
        assertEquals(original, run(jar));
    }

    @Test
    void leavesNothingForJavaToMakeButSerialisableLambdas() throws Exception {
        Path jar = jar("bundles/program.jar", false);
        assertTrue(ClassForms.run(List.of(home.toString())) > 20);
        try (URLClassLoader loader = loader(jar)) {
            Class<?> program = loader.loadClass(SampleProgram.class.getName());
            Object made = program.getDeclaredConstructor().newInstance();
            List<?> functions = (List<?>) program.getMethod("functions").invoke(made);
            for (Object function : functions) {
                boolean isSerializable = function instanceof java.io.Serializable;
                assertEquals(isSerializable, function.getClass().isHidden(), function.toString());
            }
        }
    }

    @Test
    void namesTheLineOfTheCallSiteInTraces() throws Exception {
        Path jar = jar("bundles/program.jar", false);
        ClassForms.run(List.of(home.toString()));
        try (URLClassLoader loader = loader(jar)) {
            Object made = loader.loadClass(SampleProgram.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            RuntimeException failure = assertThrows(
                    RuntimeException.class,
                    () -> ((Runnable) made.getClass().getMethod("failing").invoke(made)).run());
            StackTraceElement frame = failure.getStackTrace()[1];
            assertTrue(frame.getClassName().startsWith(SampleProgram.class.getName() + "$$Lambda$"), frame.toString());
            assertEquals("SampleProgram.java", frame.getFileName());
            assertEquals(failure.getStackTrace()[0].getLineNumber() - 1, frame.getLineNumber()); // where it begins
        }
    }

    @Test
    void givesTheSameBytesForTheSameJarAndKeepsItsTime() throws Exception {
        Path one = jar("bundles/one.jar", false);
        Path two = jar("lib/two.jar", false);
        FileTime time = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(one, time);
        ClassForms.run(List.of(home.toString()));
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
        assertEquals(time, Files.getLastModifiedTime(one));
        byte[] once = Files.readAllBytes(one);
        ClassForms.run(List.of(home.toString()));
        assertArrayEquals(once, Files.readAllBytes(one));
    }

    @Test
    void leavesJarsAloneThatTheArgumentsName() throws Exception {
        Path jar = jar("bundles/program-1.0.jar", false);
        jar("bundles/other-1.0.jar", false);
        List<String> before = classes(jar);
        ClassForms.run(List.of("--without", "program", home.toString()));
        assertEquals(before, classes(jar));
        assertNotEquals(before, classes(home.resolve("bundles/other-1.0.jar")));
    }

    @Test
    void leavesSignedJarsAlone() throws Exception {
        Path jar = jar("bundles/program.jar", true);
        List<String> before = classes(jar);
        ClassForms.run(List.of(home.toString()));
        assertEquals(before, classes(jar));
    }

    @Test
    void keepsOtherEntriesAndTheirOrder() throws Exception {
        Path jar = jar("bundles/program.jar", false);
        ClassForms.run(List.of(home.toString()));
        try (JarFile file = new JarFile(jar.toFile())) {
            List<String> names = file.stream().map(ZipEntry::getName).toList();
            assertEquals(JarFile.MANIFEST_NAME, names.get(0));
            assertEquals("text.txt", names.get(1));
            assertTrue(file.stream().allMatch(entry -> entry.getMethod() == ZipEntry.STORED));
            assertFalse(Files.exists(jar.resolveSibling("program.jar.new")));
        }
    }

    @Test
    void refusesADirectoryWithoutJars() throws Exception {
        Files.createDirectories(home.resolve("lib"));
        Files.createDirectories(home.resolve("bundles"));
        assertThrows(IOException.class, () -> ClassForms.run(List.of(home.toString())));
    }

    private static List<String> classes(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .filter(entry -> entry.getName().endsWith(".class"))
                    .map(entry -> entry.getName() + " " + entry.getCrc())
                    .toList();
        }
    }

    private static List<?> run(Path jar) throws Exception {
        try (URLClassLoader loader = loader(jar)) {
            Object made = loader.loadClass(SampleProgram.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            return (List<?>) ((Callable<?>) made).call();
        }
    }

    private static URLClassLoader loader(Path jar) throws IOException {
        return new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    /** A jar with the classes of the program, a manifest and a stored file. */
    private Path jar(String name, boolean signed) throws IOException {
        Files.createDirectories(home.resolve("lib"));
        Files.createDirectories(home.resolve("bundles"));
        Path jar = home.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            entry(out, JarFile.MANIFEST_NAME, "Manifest-Version: 1.0\r\n\r\n".getBytes(UTF_8), false);
            entry(out, "text.txt", "text".getBytes(UTF_8), true);
            if (signed) {
                entry(out, "META-INF/SIGNER.SF", new byte[0], false);
            }
            for (String type : List.of("", "$Point", "$Nested", "$Kept", "$Shape", "$Empty", "$Values")) {
                String path = SampleProgram.class.getName().replace('.', '/') + type + ".class";
                try (InputStream in = SampleProgram.class.getClassLoader().getResourceAsStream(path)) {
                    entry(out, path, in.readAllBytes(), false);
                }
            }
        }
        return jar;
    }

    private static void entry(ZipOutputStream out, String name, byte[] bytes, boolean stored) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        if (stored) {
            java.util.zip.CRC32 sum = new java.util.zip.CRC32();
            sum.update(bytes);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(bytes.length);
            entry.setCrc(sum.getValue());
        }
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
