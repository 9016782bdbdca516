package dev.hearth.kernel.internal.process;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Start of child processes as another user of the operating system, by {@code setpriv}; only root may do so. Immutable.
 */
record UserSwitch(String user, String group, String home, Path program) {
    private static final String SETPRIV = "setpriv";
    private static final String SHELL = "/bin/sh";
    /** Beginning of the names under which variables of an application reach the shell. */
    private static final String HIDDEN_PREFIX = "HEARTH_GIVEN_";

    private static final int SECONDS_MAX = 10;
    /** Index of the home directory among the fields of a line of the user database. */
    private static final int HOME_FIELD = 5;

    /** Fails with {@code BAD_SETTING} if this process cannot start children as {@code user}. */
    static UserSwitch to(String user) {
        if (!user.matches("[A-Za-z_][A-Za-z0-9_.-]*")) {
            throw refused(user, "not a name", "the name of a user of this machine");
        }
        Optional<Path> program = program(SETPRIV);
        if (program.isEmpty()) {
            throw refused(user, "no program setpriv on the PATH", "Linux with setpriv, of util-linux");
        }
        if (!run("id", "-u").equals(Optional.of("0"))) {
            throw refused(user, "this process does not run as root", "root, who may start processes of other users");
        }
        String uid = run("id", "-u", user).orElseThrow(() -> refused(user, "no such user", "a user of this machine"));
        if (uid.equals("0")) {
            throw refused(user, "this is root", "a user with fewer rights than this process");
        }
        UserSwitch found = new UserSwitch(user, run("id", "-g", user).orElse(uid), homeOf(user), program.get());
        if (!found.mayRun("true")) {
            throw refused(user, "setpriv fails", "the rights to change the user, CAP_SETUID and CAP_SETGID");
        }
        return found;
    }

    /**
     * Returns the path of the program {@code name}, found in the directories of the environment variable {@code PATH};
     * empty if it is in none of them.
     */
    static Optional<Path> program(String name) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            Path file = Path.of(directory.isEmpty() ? "." : directory, name);
            if (Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** Fails with {@code BAD_SETTING} if the user cannot enter {@code directory}. */
    UserSwitch requireAccess(Path directory) {
        if (!mayRun("test", "-x", directory.toString())) {
            throw refused(user, "cannot enter " + directory, "access to it, and to the directories above it");
        }
        return this;
    }

    /**
     * Returns the words that precede a command, so that it runs as the user and with the variables {@code given}, which
     * {@link #apply} has renamed. The shell that restores their names is already a process of the user.
     */
    List<String> prefix(Set<String> given) {
        if (given.isEmpty()) {
            return prefix();
        }
        StringBuilder script = new StringBuilder();
        for (String name : given) {
            String hidden = HIDDEN_PREFIX + name;
            script.append("export ")
                    .append(name)
                    .append("=\"$")
                    .append(hidden)
                    .append("\"; unset ")
                    .append(hidden);
            script.append("; ");
        }
        List<String> command = new ArrayList<>(prefix());
        command.addAll(List.of(SHELL, "-c", script + "exec \"$@\"", SHELL));
        return command;
    }

    /** Returns the words that precede a command, so that it runs as the user. */
    private List<String> prefix() {
        return List.of(
                program.toString(), "--reuid=" + user, "--regid=" + group, "--init-groups", "--no-new-privs", "--");
    }

    /**
     * Sets the variables of {@code environment} that name the user and the user's home. If the home does not exist,
     * {@code otherwise} replaces it. Adds {@code given}, the variables of an application, under other names: {@code
     * setpriv} runs as root, and a variable such as LD_PRELOAD would run code of the application in it.
     */
    void apply(Map<String, String> environment, Path otherwise, Map<String, String> given) {
        environment.put("USER", user);
        environment.put("LOGNAME", user);
        environment.put("HOME", Files.isDirectory(Path.of(home)) ? home : otherwise.toString());
        given.forEach((name, value) -> environment.put(HIDDEN_PREFIX + name, value));
    }

    /** Creates {@code directory}, which then belongs to the user, in a directory that only this process may change. */
    Path create(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setOwner(
                directory,
                directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
        return directory;
    }

    private boolean mayRun(String... command) {
        List<String> all = new ArrayList<>(prefix());
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new)).isPresent();
    }

    private static String homeOf(String user) {
        String[] fields = run("getent", "passwd", user).orElse("").split(":", -1);
        return fields.length > HOME_FIELD && !fields[HOME_FIELD].isEmpty() ? fields[HOME_FIELD] : "/nonexistent";
    }

    /** Runs a short command and returns its output; empty if the command cannot be run, fails, or takes too long. */
    private static Optional<String> run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            boolean done = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
            return done ? Optional.of(output) : Optional.empty();
        } catch (IOException missing) {
            return Optional.empty();
        } catch (InterruptedException wanted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static RuntimeException refused(String user, String found, String rule) {
        return ErrorCode.BAD_SETTING.failure("processes of user '" + user + "': " + found + " (expected: " + rule
                + "); or run one worker for each user, as that user");
    }
}
