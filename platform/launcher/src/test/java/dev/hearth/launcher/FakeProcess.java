package dev.hearth.launcher;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A process that ends when a test says so. */
final class FakeProcess extends Process {
    private static final int KILLED = 137;

    private final CompletableFuture<Process> exit = new CompletableFuture<>();
    private final String output;
    private final String errors;
    private volatile int status = -1;

    FakeProcess() {
        this("", "");
    }

    FakeProcess(String output, String errors) {
        this.output = output;
        this.errors = errors;
    }

    void exitWith(int code) {
        status = code;
        exit.complete(this);
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return exit;
    }

    @Override
    public long pid() {
        return 1;
    }

    @Override
    public int exitValue() {
        return status;
    }

    @Override
    public Process destroyForcibly() {
        exitWith(KILLED);
        return this;
    }

    @Override
    public void destroy() {
        destroyForcibly();
    }

    @Override
    public int waitFor() {
        return exit.join().exitValue();
    }

    @Override
    public OutputStream getOutputStream() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public InputStream getErrorStream() {
        return new ByteArrayInputStream(errors.getBytes(StandardCharsets.UTF_8));
    }
}
