package dev.hearth.itests.endtoend;

import dev.hearth.itests.endtoend.app.AllOperations;
import dev.hearth.itests.endtoend.app.AppendsLine;
import dev.hearth.itests.endtoend.app.ContextOperations;
import dev.hearth.itests.endtoend.app.CountsNodes;
import dev.hearth.itests.endtoend.app.ExitsInTask;
import dev.hearth.itests.endtoend.app.ExitsWith;
import dev.hearth.itests.endtoend.app.FailsFirst;
import dev.hearth.itests.endtoend.app.FillsMemory;
import dev.hearth.itests.endtoend.app.ForksProcesses;
import dev.hearth.itests.endtoend.app.GatedOutput;
import dev.hearth.itests.endtoend.app.GatedPrints;
import dev.hearth.itests.endtoend.app.GatedRounds;
import dev.hearth.itests.endtoend.app.GatedShuffle;
import dev.hearth.itests.endtoend.app.GatedSum;
import dev.hearth.itests.endtoend.app.KeptSquares;
import dev.hearth.itests.endtoend.app.LargeThings;
import dev.hearth.itests.endtoend.app.MixedJobs;
import dev.hearth.itests.endtoend.app.Prints;
import dev.hearth.itests.endtoend.app.PrintsLines;
import dev.hearth.itests.endtoend.app.SearchesHeap;
import dev.hearth.itests.endtoend.app.SetsItsOwn;
import dev.hearth.itests.endtoend.app.ShowsCarried;
import dev.hearth.itests.endtoend.app.ShowsEnvironment;
import dev.hearth.itests.endtoend.app.ShowsLaunch;
import dev.hearth.itests.endtoend.app.ShowsPlace;
import dev.hearth.itests.endtoend.app.ShowsSettings;
import dev.hearth.itests.endtoend.app.ShowsUser;
import dev.hearth.itests.endtoend.app.SignsIn;
import dev.hearth.itests.endtoend.app.StoreUser;
import dev.hearth.itests.endtoend.app.TellsJava;
import dev.hearth.itests.endtoend.app.ThreeSizes;
import dev.hearth.itests.endtoend.app.TimedShuffle;
import dev.hearth.itests.endtoend.app.TwoClusters;
import dev.hearth.itests.endtoend.app.TwoContexts;
import dev.hearth.itests.endtoend.app.TwoProfiles;
import dev.hearth.itests.endtoend.app.TwoSizes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The unpacked distribution, in a path with a space and non-ASCII letters, and a jar of the tests' applications. */
final class Installation {
    private static final List<Class<?>> APPLICATIONS = List.of(
            AllOperations.class,
            ContextOperations.class,
            AllOperations.Kind.class,
            AllOperations.Visit.class,
            AllOperations.Group.class,
            AllOperations.Tally.class,
            AppendsLine.class,
            GatedOutput.class,
            GatedPrints.class,
            MixedJobs.class,
            GatedSum.class,
            LargeThings.class,
            GatedRounds.class,
            ThreeSizes.class,
            GatedShuffle.class,
            KeptSquares.class,
            Prints.class,
            PrintsLines.class,
            ExitsWith.class,
            ExitsInTask.class,
            FailsFirst.class,
            FillsMemory.class,
            ForksProcesses.class,
            SearchesHeap.class,
            ShowsEnvironment.class,
            ShowsCarried.class,
            ShowsLaunch.class,
            ShowsPlace.class,
            ShowsUser.class,
            ShowsSettings.class,
            SignsIn.class,
            StoreUser.class,
            TimedShuffle.class,
            TwoContexts.class,
            TwoClusters.class,
            TwoProfiles.class,
            TwoSizes.class,
            CountsNodes.class,
            TellsJava.class,
            SetsItsOwn.class);

    private final Path scratch;
    private final Path home;
    private final Path applications;

    private Installation(Path scratch, Path home, Path applications) {
        this.scratch = scratch;
        this.home = home;
        this.applications = applications;
    }

    /**
     * Links to the jars of lib/ and bundles/, which tests may remove but do not change, and copies all other files. Most
     * of the distribution's bytes are in these jars.
     */
    static Installation in(Path scratch) throws IOException {
        return in(scratch, true);
    }

    /** Copies all files, whose content and permissions a test may change. */
    static Installation ofItsOwn(Path scratch) throws IOException {
        return in(scratch, false);
    }

    private static Installation in(Path scratch, boolean linked) throws IOException {
        Path distribution = SharedClasses.distribution();
        Path home = scratch.resolve("a hearth in Köln");
        try (Stream<Path> files = Files.walk(distribution)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = home.resolve(distribution.relativize(file).toString());
                if (!linked || !SharedClasses.link(file, copy)) {
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        Path jar = scratch.resolve("applications.jar");
        pack(jar, APPLICATIONS);
        return new Installation(scratch, home, jar);
    }

    Path home() {
        return home;
    }

    /** The archive that users download. */
    Path archive() throws IOException {
        Path distribution = SharedClasses.distribution();
        return distribution.resolveSibling(distribution.getFileName() + ".tar.gz");
    }

    Path scratch() {
        return scratch;
    }

    Path applications() {
        return applications;
    }

    Path examples() {
        return home.resolve("examples").resolve("hearth-examples.jar");
    }

    Launched submit(String... arguments) throws IOException {
        return launch("bin/submit", arguments);
    }

    /** As {@link #submit(String...)}, for a program that computes for seconds. */
    Launched compute(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(QuickCompilation.flags());
        all.addAll(List.of(arguments));
        return submit(all.toArray(String[]::new));
    }

    Launched example(String... arguments) throws IOException {
        return launch("bin/run-example", arguments);
    }

    Launched hearth(String... arguments) throws IOException {
        return launch("bin/hearth", arguments);
    }

    /** Runs bin/hearth with further variables in its environment. */
    Launched hearth(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/hearth").toString()));
        command.addAll(List.of(arguments));
        return Launched.start(scratch, environment, command);
    }

    private Launched launch(String script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(home.resolve(script).toString()));
        command.addAll(List.of(arguments));
        return Launched.start(scratch, command);
    }

    Launched.Ready daemon(String... arguments) throws IOException {
        return Launched.startDaemon(scratch, daemonCommand(List.of(arguments)));
    }

    Launched.Ready daemon(Map<String, String> environment, String... arguments) throws IOException {
        return Launched.startDaemon(scratch, environment, daemonCommand(List.of(arguments)));
    }

    /** Runs bin/submit with further variables in its environment. */
    Launched submit(Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/submit").toString()));
        command.addAll(arguments);
        return Launched.start(scratch, environment, command);
    }

    /** The command of a role that ends with its parent process, even if that is killed. */
    List<String> daemonCommand(List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/hearth").toString(), "--lifeline"));
        command.addAll(arguments);
        return command;
    }

    /** The processes of this installation that still run. */
    List<ProcessHandle> processes() {
        String path = home.toString();
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process.pid()).contains(path))
                .toList();
    }

    /** The JDK omits long command lines; /proc has them. */
    static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), "cmdline"));
        } catch (IOException | UncheckedIOException gone) {
            return ""; // the process ended meanwhile
        }
    }

    /** Variables of a process, each with a NUL character at its end; empty if it has ended. */
    static String environment(long pid) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), "environ"));
        } catch (IOException | UncheckedIOException gone) {
            return "";
        }
    }

    private static void pack(Path jar, List<Class<?>> types) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (Class<?> type : types) {
                String name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in =
                        Objects.requireNonNull(type.getClassLoader().getResourceAsStream(name))) {
                    in.transferTo(out);
                }
                out.closeEntry();
            }
        }
    }
}
