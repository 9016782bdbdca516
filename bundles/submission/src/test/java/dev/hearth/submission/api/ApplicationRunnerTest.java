package dev.hearth.submission.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.ContextHolder;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.packages.PackageListener;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.role.StandardOutput;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.submission.applications.Applications;
import dev.hearth.testkit.storage.MemoryFileStores;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lifecycle of an application in one process: its class, thread, end and failures. */
@Timeout(30)
class ApplicationRunnerTest {
    private static final Duration GRACE = Duration.ofMillis(50);
    private static final String JAR = "/apps/a.jar";
    private static final String PREFIX = Applications.class.getName() + "$";

    private final RecordingEngine engine = new RecordingEngine();
    private final List<OwnLoader> loaders = new ArrayList<>();
    private Function<PackageRequest, List<Path>> resolving = request -> List.of(Path.of("/m2/g.jar"));
    private final ApplicationLoaders opener = (application, jars) -> {
        OwnLoader loader = new OwnLoader(jars);
        loaders.add(loader);
        return loader;
    };
    private final PrintStream out = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    private final ApplicationRunner runner =
            new ApplicationRunner(opener, engine, FileStoreRegistry.of(List::of), this::resolve, Path.of(""), GRACE);

    @AfterEach
    void closesLoadersAndContextHolders() {
        for (OwnLoader loader : loaders) {
            assertTrue(loader.closed());
            ContextHolder.install(loader, request -> {
                        throw new AssertionError("no context is opened here");
                    })
                    .close(); // rejected while the runner's context holder is installed
        }
    }

    @Test
    void runsMainWithItsArgumentsOnItsOwnThread() throws Exception {
        runner.run(plan("ReportsItself", "a", "b c"), out);
        assertEquals("a|b c", engine.requests.get(0).name());
        assertEquals(
                Map.of("thread", "main", "own loader", "true"),
                engine.requests.get(0).settings());
        assertEquals(List.of("begin local[2]", "succeeded", "closed"), engine.happened);
        assertEquals(
                List.of(Path.of(JAR), Path.of("/apps/b.jar")), loaders.get(0).jars());
    }

    @Test
    void opensTheLoaderWithTheSettingsOfTheApplication() throws Exception {
        List<Settings> opened = new ArrayList<>();
        ApplicationLoaders watched = new ApplicationLoaders() {
            @Override
            public ApplicationLoader open(String application, List<Path> jars) {
                return opener.open(application, jars);
            }

            @Override
            public ApplicationLoader open(
                    String application, List<Path> classPath, List<Path> jars, Settings settings) {
                opened.add(settings);
                return opener.open(application, classPath, jars);
            }
        };
        SubmissionPlan plan = plan("ReportsItself");
        new ApplicationRunner(watched, engine, FileStoreRegistry.of(List::of), this::resolve, Path.of(""), GRACE)
                .run(plan, out);
        assertEquals(List.of(plan.settings()), opened);
    }

    @Test
    void placesTheFilesOfADriverOfAClusterBeforeItsMainMethod() throws Exception {
        runner.run(plan("ReportsItself"), Path.of("/drivers/driver-1"), out);
        assertEquals(List.of("begin local[2]", "files in driver-1", "succeeded", "closed"), engine.happened);
    }

    @Test
    void fetchesFilesIntoItsTemporaryDirectoryAndDeletesThem(@TempDir Path temporary) throws Exception {
        MemoryFileStores memory = new MemoryFileStores();
        memory.write("mem:///b.jar", "a jar");
        ApplicationRunner fetching = new ApplicationRunner(
                opener, engine, FileStoreRegistry.of(() -> List.of(memory)), this::resolve, temporary, GRACE);
        fetching.run(
                plan("ReportsItself")
                        .but()
                        .add(SubmissionResource.Kind.JAR, "mem:///b.jar")
                        .build(),
                out);
        Path fetched = loaders.get(0).jars().get(loaders.get(0).jars().size() - 1);
        assertEquals("b.jar", fetched.getFileName().toString());
        assertTrue(fetched.startsWith(temporary), fetched::toString);
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
        assertEquals(0, memory.openStores());
    }

    @Test
    void putsTheJarsOfPackagesBehindAllOthers() throws Exception {
        runner.run(withPackages("ReportsItself"), out);
        assertEquals(
                List.of(Path.of(JAR), Path.of("/apps/b.jar"), Path.of("/m2/g.jar")),
                loaders.get(0).jars());
    }

    @Test
    void failsBeforeTheApplicationStartsIfAPackageIsMissing() {
        resolving = request -> {
            throw ErrorCode.PACKAGES_UNRESOLVED.failure(
                    "packages: " + request.packages().get(0).coordinate());
        };
        HearthException failure =
                assertThrows(HearthException.class, () -> runner.run(withPackages("ReportsItself"), out));
        assertEquals("packages: g:a:1", failure.getMessage());
        assertEquals(List.of(), engine.happened);
    }

    @Test
    void endsWhilePackagesAreResolved() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        resolving = request -> {
            asked.countDown();
            try {
                interrupted.complete(new CountDownLatch(1).await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                interrupted.complete(true);
            }
            return List.of();
        };
        CompletableFuture<Void> running = start(withPackages("ReportsItself"));
        assertTrue(asked.await(1, TimeUnit.MINUTES));
        runner.stop();
        assertEquals(ErrorCode.APPLICATION_KILLED.name(), failure(running).code());
        assertTrue(interrupted.get(1, TimeUnit.MINUTES));
    }

    private static SubmissionPlan withPackages(String application) {
        SubmissionPlan plan = plan(application);
        return plan.but()
                .settings(plan.settings().with("test", "hearth.jars.packages", "g:a:1"))
                .build();
    }

    @Test
    void runsWithoutAnApplicationJar() throws Exception {
        SubmissionPlan noJar = plan("ReportsItself").but().resources(List.of()).build();
        runner.run(noJar, out);
        assertEquals(List.of(), loaders.get(0).jars());
        SubmissionPlan missing = noJar.but().mainClass("x.Missing").build();
        HearthException failure = assertThrows(HearthException.class, () -> runner.run(missing, out));
        assertTrue(
                String.valueOf(failure.getMessage()).startsWith("main class 'x.Missing': not found in the class path"),
                failure::getMessage);
    }

    @Test
    void reportsTheExceptionAndTheApplicationsStackFrame() {
        HearthException failure = fails("Throws", ErrorCode.APPLICATION_FAILED, "x");
        String message = String.valueOf(failure.getMessage());
        assertTrue(
                message.startsWith("application threw java.lang.NumberFormatException: For input string: \"x\", at "
                        + PREFIX + "Throws.main(Applications.java:"),
                message);
        assertInstanceOf(NumberFormatException.class, failure.getCause());
        assertEquals(List.of("begin local[2]", "failed", "closed"), engine.happened);
    }

    @Test
    void reportsOneLineAndRunsAClassThatIsNotPublic() {
        String message = String.valueOf(
                fails("ThrowsTwoLines", ErrorCode.APPLICATION_FAILED).getMessage());
        assertTrue(message.startsWith("application threw java.lang.IllegalStateException: boom, at "), message);
    }

    @Test
    void reportsTheExceptionOfAnInitialiser() {
        HearthException failure = fails("FailsEarly", ErrorCode.APPLICATION_FAILED);
        assertInstanceOf(NumberFormatException.class, failure.getCause());
    }

    @Test
    void passesOnAFailureOfTheEngine() {
        engine.refusing = true;
        HearthException failure = fails("ReportsItself", ErrorCode.TASK_FAILED);
        assertEquals("task 0: failed 4 times (expected: at most 3)", failure.getMessage());
    }

    @Test
    void rejectsAMissingClassBeforeAnythingStarts() {
        HearthException failure = fails("Missing", ErrorCode.CLASS_MISSING);
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("main class '" + PREFIX + "Missing': not found in " + JAR + " (expected: "),
                failure::getMessage);
        assertEquals(List.of(), engine.happened);
    }

    @Test
    void rejectsAClassWithoutAMainMethod() {
        HearthException failure = fails("HasNoStaticMain", ErrorCode.CLASS_MISSING);
        assertTrue(
                String.valueOf(failure.getMessage()).contains("(expected: public static void main(String[]))"),
                failure::getMessage);
        assertEquals(List.of(), engine.happened);
    }

    @Test
    void failsAnApplicationWhoseOutputCannotBeWritten() {
        StandardOutput full =
                StandardOutput.to(failing("No space left on device"), StandardCharsets.UTF_8, () -> false);
        full.println("a result");
        HearthException failure = assertThrows(HearthException.class, () -> runner.run(plan("ReportsItself"), full));
        assertEquals(ErrorCode.DISK_FAILED.name(), failure.code());
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("standard output: cannot be written: No space left on device (expected: "),
                failure::getMessage);
        assertEquals(List.of("begin local[2]", "failed", "closed"), engine.happened);
    }

    @Test
    void succeedsWhenTheReaderOfItsOutputNeedsNoMore() throws Exception {
        StandardOutput closed = StandardOutput.to(failing("Broken pipe"), StandardCharsets.UTF_8, () -> false);
        closed.println("a result");
        runner.run(plan("ReportsItself"), closed);
        assertEquals(List.of("begin local[2]", "succeeded", "closed"), engine.happened);
    }

    private static OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException(message);
            }
        };
    }

    @Test
    void interruptsAStoppedApplication() throws Exception {
        CompletableFuture<Void> running = start("Waits");
        engine.opened.get(1, TimeUnit.MINUTES);
        runner.stop();
        assertEquals(ErrorCode.APPLICATION_KILLED.name(), failure(running).code());
        assertEquals(List.of("begin local[2]", "killed", "failed", "closed"), engine.happened);
    }

    @Test
    void abandonsAnApplicationThatIgnoresItsInterrupt() throws Exception {
        CompletableFuture<Void> running = start("IgnoresInterrupts");
        engine.opened.get(1, TimeUnit.MINUTES);
        runner.stop();
        assertEquals(ErrorCode.APPLICATION_KILLED.name(), failure(running).code());
        assertEquals(List.of("begin local[2]", "killed", "failed", "closed"), engine.happened);
        engine.parallelism = 0; // lets its thread end
    }

    @Test
    void doesNotStartAfterAStop() {
        runner.stop();
        fails("ReportsItself", ErrorCode.APPLICATION_KILLED);
        assertEquals(List.of(), engine.requests);
    }

    private List<Path> resolve(PackageRequest request, PackageListener listener) {
        listener.warned("resolving " + request.packages());
        return resolving.apply(request);
    }

    private CompletableFuture<Void> start(String application) {
        return start(plan(application));
    }

    private CompletableFuture<Void> start(SubmissionPlan plan) {
        return CompletableFuture.runAsync(() -> {
            try {
                runner.run(plan, out);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
    }

    private static HearthException failure(CompletableFuture<Void> running) {
        ExecutionException failed = assertThrows(ExecutionException.class, () -> running.get(1, TimeUnit.MINUTES));
        return assertInstanceOf(HearthException.class, Failures.unwrap(failed));
    }

    private HearthException fails(String application, ErrorCode code, String... arguments) {
        HearthException failure =
                assertThrows(HearthException.class, () -> runner.run(plan(application, arguments), out));
        assertEquals(code.name(), failure.code(), failure::getMessage);
        return failure;
    }

    private static SubmissionPlan plan(String application, String... arguments) {
        return SubmissionPlan.builder(application, PREFIX + application)
                .add(Kind.APPLICATION_JAR, JAR)
                .add(Kind.JAR, "/apps/b.jar")
                .arguments(List.of(arguments))
                .settings(Settings.empty().with("test", "hearth.master", "local[2]"))
                .build();
    }
}
