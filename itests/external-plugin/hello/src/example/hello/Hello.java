package example.hello;

/** A shell command: {@code example:hello world}. */
public final class Hello {
    public String hello(String whom) {
        return "hello, " + whom;
    }
}
