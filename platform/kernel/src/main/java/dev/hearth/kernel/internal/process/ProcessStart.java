package dev.hearth.kernel.internal.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is fixed when a child process starts, but its directory. A process of an equal start can take the place of
 * another one. {@code installation} identifies the files that the process reads when it starts. Immutable.
 */
record ProcessStart(
        String role,
        List<String> command,
        Map<String, String> inherited,
        Map<String, String> given,
        Optional<UserSwitch> user,
        boolean hasOwnSession,
        long installation) {
    /** Process without launch orders; nothing reads its output yet. */
    record Forked(Process process, ProcessLeftovers leftovers) {}

    ProcessStart {
        command = List.copyOf(command);
        inherited = Map.copyOf(inherited);
        given = Map.copyOf(given);
    }

    /** Starts the process in {@code directory}, the working directory of the child. */
    Forked fork(Path directory, Map<String, String> ownEnvironment) throws IOException {
        return fork(directory, ownEnvironment, command);
    }

    /** Starts the process before it is needed, in a work directory that will be moved. */
    Forked forkAhead(Path directory, Map<String, String> ownEnvironment, String scheme) throws IOException {
        List<String> waiting = new ArrayList<>(command);
        waiting.add(waiting.indexOf("-cp"), "-D" + ChildProcesses.PRESTARTED + "=" + scheme);
        return fork(directory, ownEnvironment, waiting);
    }

    private Forked fork(Path directory, Map<String, String> ownEnvironment, List<String> words) throws IOException {
        ProcessLeftovers leftovers = ProcessLeftovers.ofNewChild(ownEnvironment);
        ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
        Map<String, String> variables = builder.environment();
        variables.clear();
        variables.putAll(inherited);
        user.ifPresentOrElse(other -> other.apply(variables, directory, given), () -> variables.putAll(given));
        variables.put(ProcessLeftovers.VARIABLE, leftovers.mark());
        Process process = builder.start();
        if (hasOwnSession) {
            leftovers.inSession(process.pid());
        }
        return new Forked(process, leftovers);
    }

    /** Text form without the environment, which may contain secrets. */
    @Override
    public String toString() {
        return role + " process";
    }
}
