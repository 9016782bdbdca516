package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Shell that begins and ends applications in a serving kernel, by commands of a bundle that it drops into the kernel's
 * deploy/. Closing it ends the shell, not the kernel.
 */
final class ApplicationsShell implements AutoCloseable {
    private final Launched kernel;
    private final Duration wait;
    private final Path errors;
    private final Process shell;
    private final PrintStream typed;
    private final BufferedReader answers;

    private ApplicationsShell(Launched kernel, Duration wait, Path errors, Process shell) {
        this.kernel = kernel;
        this.wait = wait;
        this.errors = errors;
        this.shell = shell;
        this.typed = new PrintStream(shell.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Opens a shell of {@code installation}, with {@code flags}, in the kernel that has just become ready. Keeps files in {@code scratch}. */
    static ApplicationsShell open(
            Installation installation, Path scratch, Launched.Ready ready, Duration wait, String... flags)
            throws IOException {
        dropTheCommands(installation, scratch);
        await(ready.process(), "runs 1.0.0 (runs.jar) runs", wait);
        List<String> command = new ArrayList<>(
                List.of(installation.home().resolve("bin/hearth").toString(), "shell"));
        command.addAll(List.of(flags));
        command.addAll(List.of("--to", addressOf(ready)));
        Path errors = scratch.resolve("shell.txt");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().put("HEARTH_CDS", SharedClasses.setting());
        return new ApplicationsShell(ready.process(), wait, errors, builder.start());
    }

    /** Address that a serving kernel names when it is ready. */
    static String addressOf(Launched.Ready ready) {
        return ready.line().substring(ready.line().lastIndexOf(' ') + 1);
    }

    private static void dropTheCommands(Installation installation, Path scratch) throws IOException {
        new UserJar(Files.createDirectories(scratch.resolve("build")))
                .against(installation, "hearth-api-", "hearth-spi-", "org.apache.felix.framework-")
                .source("Runs")
                .header("Bundle-ManifestVersion", "2")
                .header("Bundle-SymbolicName", "runs")
                .header("Bundle-Version", "1.0.0")
                .header("Bundle-Activator", "runs.Runs")
                .header("Hearth-Role", "serve")
                .header(
                        "Import-Package",
                        "dev.hearth.api, dev.hearth.api.launch, dev.hearth.api.data;resolution:=optional,"
                                + " dev.hearth.spi.application, dev.hearth.spi.settings, org.osgi.framework")
                .write(installation.home().resolve("deploy").resolve("runs.jar"));
    }

    /** Runs one of the commands, and returns its line. */
    String ask(String command, String argument) throws IOException {
        typed.println("apps:" + command + (argument.isEmpty() ? "" : " '" + argument + "'"));
        String answer = answers.readLine();
        return answer == null ? "no answer: " + Files.readString(errors) : answer;
    }

    /** Waits for a line of the kernel's log. */
    void await(String text) {
        await(kernel, text, wait);
    }

    /** Polls, because nothing signals that a file grew. */
    private static void await(Launched kernel, String text, Duration wait) {
        Eventually.until("a line with '" + text + "'", () -> kernel.errors().contains(text), wait, kernel::errors);
    }

    /** Waits until the classes of a bundle that is gone are collected. */
    void awaitCollected(String bundle) {
        Eventually.until(
                "the classes of " + bundle + " are collected",
                () -> {
                    try {
                        ask("collect", "");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return kernel.errors().contains("the classes of " + bundle + " were collected");
                },
                wait,
                kernel::errors);
    }

    @Override
    public void close() {
        typed.close();
        try {
            shell.waitFor();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            shell.destroyForcibly();
        }
    }
}
