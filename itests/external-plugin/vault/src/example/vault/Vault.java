package example.vault;

import java.util.ArrayList;
import java.util.List;

/** Token and visitors of this process, for applications. Guarded by its class. */
public final class Vault {
    private static final List<Object> VISITORS = new ArrayList<>();
    private static String token = "";

    private Vault() {}

    /** The latest token, once it differs from {@code known}. */
    public static synchronized String tokenAfter(String known) throws InterruptedException {
        while (token.equals(known)) {
            Vault.class.wait();
        }
        return token;
    }

    /** Remembers {@code visitor}, an object of an application, until the application ends. */
    public static synchronized void enter(Object visitor) {
        VISITORS.add(visitor);
    }

    static synchronized void change(String latest) {
        token = latest;
        Vault.class.notifyAll();
    }

    /** Forgets the visitors of one application; returns how many there were. */
    static synchronized int leave(ClassLoader application) {
        int before = VISITORS.size();
        VISITORS.removeIf(visitor -> visitor.getClass().getClassLoader() == application);
        return before - VISITORS.size();
    }
}
