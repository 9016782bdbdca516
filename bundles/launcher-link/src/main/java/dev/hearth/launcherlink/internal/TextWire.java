package dev.hearth.launcherlink.internal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The protocol of hearth-launcher: lines of UTF-8 text with a word and values, which tabs separate. */
final class TextWire implements LauncherWire {
    private static final String VERSION = "1";
    private static final String STOP = "stop";

    private final BufferedReader in;
    private final OutputStream out;

    TextWire(InputStream in, OutputStream out) {
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.out = out;
    }

    @Override
    public void hello(String secret, String version) throws IOException {
        write("hello", VERSION, secret, version);
    }

    @Override
    public void application(String id) throws IOException {
        write("application", id);
    }

    @Override
    public void submission(String id) throws IOException {
        write("submission", id);
    }

    @Override
    public void state(LaunchedState state) throws IOException {
        write("state", state.name());
    }

    @Override
    public void link(String name, String address) throws IOException {
        write("link", name, address);
    }

    @Override
    public void end(String code, String message) throws IOException {
        write("end", code, message);
    }

    @Override
    public boolean awaitStop() throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals(STOP)) {
                return true;
            }
        }
        return false;
    }

    private void write(String word, String... values) throws IOException {
        StringBuilder line = new StringBuilder(word);
        for (String value : values) {
            line.append('\t').append(escaped(value));
        }
        out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }
}
