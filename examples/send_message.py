"""Send a message on the virtual phone, and read from the phone itself whether it arrived."""

from handeye import connect

with connect("phone:permission,advert") as phone:
    result = phone.run("给李雷发微信消息说明天见", report="runs/example")
    print(result.status.value, f"{result.total_time:.1f} s")
    for step in result.step_results:
        print(f"  {step.status.value:10} {step.step.description}")
    print("the phone says:", phone.device.phone.state.to_dict()["sent"])
