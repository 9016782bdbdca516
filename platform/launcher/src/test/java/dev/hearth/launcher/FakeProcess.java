package dev.hearth.launcher;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/** A process that ends when a test says so. */
final class FakeProcess extends Process {
    private static final int KILLED = 137;

    private final CompletableFuture<Process> exit = new CompletableFuture<>();
    private volatile int status = -1;

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
        return InputStream.nullInputStream();
    }

    @Override
    public InputStream getErrorStream() {
        return InputStream.nullInputStream();
    }
}
