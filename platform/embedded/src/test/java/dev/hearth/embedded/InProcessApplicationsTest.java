package dev.hearth.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.launcher.InProcessLauncher;
import dev.hearth.launcher.LaunchEnd;
import dev.hearth.launcher.LaunchHandle;
import dev.hearth.launcher.LaunchListener;
import dev.hearth.launcher.LaunchState;
import dev.hearth.launcher.LauncherConstants;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import user.program.Programs;

/** Applications that a program starts with hearth-launcher in its own process. */
@Timeout(60)
class InProcessApplicationsTest {
    @TempDir
    Path scratch;

    @Test
    void followsAnApplicationOfTheProgramItself() throws Exception {
        Path output = scratch.resolve("output");
        List<String> seen = new CopyOnWriteArrayList<>();
        LaunchHandle handle = launcher(Programs.Sums.class)
                .name("sums")
                .setting("spark.default.parallelism", "3")
                .arguments(output.toString())
                .start(new LaunchListener() {
                    @Override
                    public void stateChanged(LaunchHandle changed) {
                        seen.add(changed.state().name());
                    }
                });

        assertEquals(new LaunchEnd(LaunchState.FINISHED, OptionalInt.of(0), "", ""), end(handle));
        assertTrue(handle.applicationId().orElse("").startsWith("local-"), () -> "id " + handle.applicationId());
        assertEquals("sums local[2] 9 " + Programs.class.getClassLoader().getName(), Files.readString(output));
        assertTrue(List.of("CONNECTED", "SUBMITTED", "RUNNING", "FINISHED").containsAll(seen), seen::toString);
        assertEquals("FINISHED", seen.get(seen.size() - 1));
    }

    @Test
    void givesTheClassesOfAJarALoaderOfTheirOwn() throws Exception {
        Path output = scratch.resolve("output");
        LaunchHandle handle = launcher(Programs.Sums.class)
                .application(jar(Programs.Sums.class).toString())
                .name("of a jar")
                .arguments(output.toString())
                .start();

        assertEquals(LaunchState.FINISHED, end(handle).state());
        assertTrue(Files.readString(output).startsWith("of a jar local[2] 9 of a jar#"), () -> "in " + output);
    }

    @Test
    void runsSeveralAtATimeAndKillsOneOfThem() throws Exception {
        Programs.waiting = new CountDownLatch(2);
        LaunchHandle one = launcher(Programs.Waits.class).arguments("one").start();
        LaunchHandle two = launcher(Programs.Waits.class).arguments("two").start();
        assertTrue(Programs.waiting.await(30, TimeUnit.SECONDS));

        one.kill();
        assertEquals(LaunchState.KILLED, end(one).state());
        assertEquals("APPLICATION_KILLED", end(one).code());
        assertEquals(OptionalInt.of(8), end(one).exitStatus());
        assertEquals(LaunchState.RUNNING, two.state());
        assertEquals(List.of("left by two"), threads("left by"));

        two.stop();
        assertEquals(LaunchState.KILLED, end(two).state());
        assertEquals(List.of(), threads("left by"));
        assertFalse(one.applicationId().equals(two.applicationId()));
    }

    @Test
    void handsOnTheExceptionOfTheApplication() throws Exception {
        LaunchHandle handle = launcher(Programs.Throws.class).start();

        LaunchEnd end = end(handle);
        assertEquals(LaunchState.FAILED, end.state());
        assertEquals("APPLICATION_FAILED", end.code());
        assertTrue(end.message().contains("of a test"), end::message);
        assertSame(Programs.thrown.orElseThrow(), handle.error().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "--unknown,         1,              BAD_ARGUMENT, 2",
        "--deploy-mode,     invalid,        BAD_SETTING,  2",
        "--class,           user.Missing,   CLASS_MISSING, 101",
        "--master,          hearth://a:1,   NO_MANAGER,   2",
        "--master,          yarn,           NO_MANAGER,   2",
        "--properties-file, missing.conf,   PATH_MISSING, 3",
        "--kill,            driver-1,       BAD_ARGUMENT, 2",
    })
    void reportsWrongUseAsDataAndLetsTheProcessLive(String flag, String value, String code, int status)
            throws Exception {
        LaunchEnd end = end(launcher(Programs.Sums.class).flag(flag, value).start());

        assertEquals(LaunchState.FAILED, end.state());
        assertEquals(code, end.code(), end::message);
        assertEquals(OptionalInt.of(status), end.exitStatus());
    }

    private static InProcessLauncher launcher(Class<?> main) {
        return new InProcessLauncher()
                .master("local[2]")
                .mainClass(main.getName())
                .application(LauncherConstants.NO_RESOURCE);
    }

    private static LaunchEnd end(LaunchHandle handle) throws Exception {
        return handle.exit().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    private Path jar(Class<?> type) throws IOException {
        Path jar = scratch.resolve("application.jar");
        String entry = type.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream content = new JarOutputStream(out);
                InputStream code = Objects.requireNonNull(type.getClassLoader().getResourceAsStream(entry))) {
            content.putNextEntry(new JarEntry(entry));
            code.transferTo(content);
        }
        return jar;
    }
}
