package dev.hearth.shell.gogo;

import java.io.IOException;
import java.io.OutputStream;

/** Output stream whose destination changes between the lines of a shell. Any thread may write. */
final class SwitchableOutput extends OutputStream {
    private final OutputStream usual;
    private volatile OutputStream target;

    SwitchableOutput(OutputStream usual) {
        this.usual = usual;
        this.target = usual;
    }

    /** Sends all further output to {@code other}. */
    void to(OutputStream other) {
        target = other;
    }

    void toUsual() {
        target = usual;
    }

    @Override
    public void write(int one) throws IOException {
        target.write(one);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        target.write(bytes, from, count);
    }

    @Override
    public void flush() throws IOException {
        target.flush();
    }
}
